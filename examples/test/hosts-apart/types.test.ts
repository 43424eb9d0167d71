import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { compilerArguments, HOST } from "../every-door.ts";

const examples = fileURLToPath(new URL("../../", import.meta.url));
const folder = mkdtempSync(join(examples, ".bundled-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const STRICTEST = [
  ...["exactOptionalPropertyTypes", "noUncheckedIndexedAccess", "noPropertyAccessFromIndexSignature"],
  ...["noImplicitOverride", "noFallthroughCasesInSwitch", "noImplicitReturns"],
  ...["isolatedModules", "verbatimModuleSyntax"],
].map((name) => `--${name}`);

// Takes five seconds of processor time and rarely finds anything new, so it runs with the other long tests.
test.skipIf(!existsSync(join(examples, "hosts-apart/node_modules")))(
  "a host that imports every entry point has no type errors at the strictest settings, declarations included",
  () => {
    writeFileSync(join(folder, "host.mts"), HOST);
    const args = compilerArguments("host.mts", "--skipLibCheck", "false", ...STRICTEST);
    const { stdout, status } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
    expect([stdout, status]).toEqual(["", 0]);
  },
);
