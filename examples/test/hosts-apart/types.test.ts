import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";

const examples = fileURLToPath(new URL("../../", import.meta.url));
const folder = mkdtempSync(join(examples, ".bundled-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const DOORS = [
  ...["adapters/agents", "adapters/blobs", "adapters/documents", "adapters/keys", "adapters/kysely", "adapters/log"],
  ...["adapters/local-agent", "adapters/mail", "adapters/web-hook", "client", "core", "core/adapter", "core/plugin"],
  ...["core/storage", "core/testing", "dashboard", "http-hono", "http-hono/node", "storage-pg", "storage-sqlite"],
];
const HOST = `${DOORS.map((door, at) => `import * as d${at} from "@signalbox/${door}";`).join("\n")}
import { createSignalbox, defineEvent } from "@signalbox/core";
import { sqliteStorage } from "@signalbox/storage-sqlite";
export const all = [${DOORS.map((_door, at) => `d${at}`).join(", ")}];
const events = [defineEvent({ id: "a", title: "A", run: () => 1 })];
export const signalbox = createSignalbox({ storage: sqliteStorage({ filename: "a" }), secretKey: "k", events });
export const { rows } = await signalbox.api.getTags();
`;
const STRICTEST = [
  ...["strict", "exactOptionalPropertyTypes", "noUncheckedIndexedAccess", "noPropertyAccessFromIndexSignature"],
  ...[
    "noImplicitOverride",
    "noFallthroughCasesInSwitch",
    "noImplicitReturns",
    "isolatedModules",
    "verbatimModuleSyntax",
  ],
].map((name) => `--${name}`);

// Five seconds of processor time, and what it finds changes rarely: it goes with the other long ones.
test.skipIf(!existsSync(join(examples, "hosts-apart/node_modules")))(
  "a host that imports every door is clean at the strictest settings, declarations of packages included",
  { timeout: 120_000 },
  () => {
    writeFileSync(join(folder, "host.mts"), HOST);
    const compiler = join(examples, "../node_modules/typescript/bin/tsc");
    const flags = [
      "--noEmit",
      "--skipLibCheck",
      "false",
      "--module",
      "nodenext",
      "--target",
      "es2024",
      "--types",
      "node",
    ];
    const args = [compiler, ...flags, ...STRICTEST, "--checkers", "1", "--ignoreConfig", "host.mts"];
    const { stdout, status } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
    expect([stdout, status]).toEqual(["", 0]);
  },
);
