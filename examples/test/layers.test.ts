import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const planted = `${root}packages/core/src/domains/planted`;

afterEach(() => rmSync(planted, { recursive: true, force: true }));

function lint(file: string, source: string): string {
  mkdirSync(planted, { recursive: true });
  writeFileSync(`${planted}/${file}`, source);
  const result = spawnSync(`${root}node_modules/.bin/biome`, ["lint", `${planted}/${file}`], { cwd: root });
  expect(result.status).toBe(1);
  return String(result.stdout) + String(result.stderr);
}

test("the linter refuses kysely in core", () => {
  const source = 'import { Kysely } from "kysely";\nexport const planted = Kysely;\n';
  expect(lint("operations.ts", source)).toContain("core knows no adapter");
});

test("the linter refuses the kernel in rules", () => {
  const source = 'import { InputError } from "../../kernel/errors.ts";\nexport const planted = InputError;\n';
  expect(lint("rules.ts", source)).toContain("model and rules are pure");
});

test("the linter refuses another domain's service", () => {
  const source =
    'import { createActivityLog } from "../activity/service.ts";\nexport const planted = createActivityLog;\n';
  expect(lint("operations.ts", source)).toContain("through its model, rules, services or events");
});

test("the linter refuses the machine's clock and chance outside the ports", () => {
  const source = "export const planted = [Date.now(), Math.random()];\n";
  expect(lint("rules.ts", source)).toContain("come from ports");
});
