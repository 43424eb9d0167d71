import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const DOMAIN = "packages/core/src/directory/planted";

// The rules are copied elsewhere: a lint of the repository at the same time must not see the planted faults.
let copy: string;
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "signalbox-layers-"));
  for (const file of [
    "biome.json",
    ".gitignore",
    "package.json",
    "scripts/ports-only.grit",
    "packages/core/package.json",
  ])
    cpSync(join(root, file), join(copy, file), { recursive: true });
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

function lint(path: string, source: string): { readonly status: number | null; readonly text: string } {
  const file = join(copy, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, source);
  const { status, stdout, stderr } = spawnSync(join(root, "node_modules/.bin/biome"), ["lint", path], { cwd: copy });
  return { status, text: String(stdout) + String(stderr) };
}

test.each([
  [
    "kysely in core",
    `${DOMAIN}/operations.ts`,
    'import { Kysely } from "kysely";\nexport const planted = Kysely;\n',
    "core knows no adapter",
  ],
  [
    "an adapter in core",
    `${DOMAIN}/service.ts`,
    'import { localAgent } from "@signalbox/adapters/local-agent";\nexport const planted = localAgent;\n',
    "core knows no adapter",
  ],
  [
    "the kernel in rules",
    `${DOMAIN}/rules.ts`,
    'import { InputError } from "../../kernel/errors.ts";\nexport const planted = InputError;\n',
    "model and rules are pure",
  ],
  [
    "the kernel in a folder of rules",
    `${DOMAIN}/rules/limits.ts`,
    'import { InputError } from "../../../kernel/errors.ts";\nexport const planted = InputError;\n',
    "model and rules are pure",
  ],
  [
    "another domain's service",
    `${DOMAIN}/operations.ts`,
    'import { createActivityLog } from "../activity/service.ts";\nexport const planted = createActivityLog;\n',
    "through its model, rules, services or events",
  ],
  [
    "the service of a domain on another floor",
    `${DOMAIN}/operations.ts`,
    'import { createJobs } from "../../work/jobs/service.ts";\nexport const planted = createJobs;\n',
    "through its model, rules, services or events",
  ],
  [
    "a domain in the kernel",
    "packages/core/src/kernel/planted.ts",
    'import { tagCollection } from "../directory/tags/collection.ts";\nexport const planted = tagCollection;\n',
    "the kernel knows no domain",
  ],
  [
    "the machine's clock and chance outside of the ports",
    `${DOMAIN}/rules.ts`,
    "export const planted = [Date.now(), Math.random()];\n",
    "come from ports",
  ],
  [
    "timers of the machine outside of the ports",
    `${DOMAIN}/service.ts`,
    "export const planted = () => setTimeout(() => undefined, 1);\n",
    "use the port",
  ],
])("the linter refuses %s", (_name, path, source, message) => {
  const { status, text } = lint(path, source);
  expect(text).toContain(message);
  expect(status).toBe(1);
});

test("the linter takes what keeps to the rules", () => {
  const source = 'import { shortest } from "../tags/rules.ts";\nexport const planted = shortest;\n';
  expect(lint(`${DOMAIN}/rules.ts`, source)).toMatchObject({ status: 0 });
});
