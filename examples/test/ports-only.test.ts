import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const DOMAIN = "packages/core/src/directory/planted";

// Works on a copy: a lint of the repository at the same time must not see the planted faults.
let copy: string;
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "signalbox-lint-"));
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

test("the linter accepts code that follows the rules", () => {
  const source = "export const planted = (clock: { now(): number }) => clock.now();\n";
  expect(lint(`${DOMAIN}/rules.ts`, source)).toMatchObject({ status: 0 });
});
