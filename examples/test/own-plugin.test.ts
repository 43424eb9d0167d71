import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CODE, runProgram } from "./program.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Uses the plugin as a third-party program does; the compiler must reject every line of `bad` files. */
const HEAD = `import { createSignalbox, memoryStorage } from "@signalbox/core";
import { acme } from "./own-plugin.ts";
export const { api } = createSignalbox({ storage: memoryStorage(), secretKey: "", plugins: [acme] });
`;
const GOOD = `${HEAD}
const { deployment } = await api.recordDeployment({ version: "v1" });
export const version: string = deployment.version;
export const { tag } = await api.createTag({ title: "Nightly" });
`;
const BAD: Readonly<Record<string, string>> = {
  "an argument of the wrong type": "await api.recordDeployment({ version: 1 });",
  "a missing argument": "await api.recordDeployment({});",
  "an operation that nobody brings": 'await api.recordDeploiment({ version: "v1" });',
  "a result that is not there": '(await api.recordDeployment({ version: "v1" })).deployment.nope;',
  "a result of the wrong type": 'const n: number = (await api.recordDeployment({ version: "v1" })).deployment.id; n;',
  "a wrong argument of a built-in operation": "await api.createTag({ title: 1 });",
  "an action type without a target":
    'import { definePlugin } from "@signalbox/core/plugin"; definePlugin({ id: "x", actionTypes: { "x.y": { applies: ["job"] } } });',
};
const fileOf = (index: number): string => `bad-${index}.ts`;

let folder: string;
let output: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "signalbox-own-plugin-"));
  // Outside of the repository, so that packages resolve like installed ones.
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  cpSync(join(root, "examples/own-plugin.ts"), join(folder, "own-plugin.ts"));
  const files = { "good.ts": GOOD, "package.json": '{ "type": "module" }', "tsconfig.json": TSCONFIG };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  for (const [index, line] of Object.values(BAD).entries())
    writeFileSync(join(folder, fileOf(index)), `${HEAD}${line}\n`);
  const { stdout, stderr } = spawnSync(join(root, "node_modules/.bin/tsc"), ["-p", ".", "--checkers", "1"], {
    cwd: folder,
  });
  output = String(stdout) + String(stderr);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Uses the built types, as users do, if they are newer than the sources: type-checking all sources takes twenty times as long.
 */
const areTypesBuilt = CODE.length === 0 && existsSync(join(root, "packages/core/dist/index.d.ts"));
const TSCONFIG = JSON.stringify({
  extends: join(root, "tsconfig.base.json"),
  compilerOptions: {
    noEmit: true,
    composite: false,
    rewriteRelativeImportExtensions: false,
    declaration: false,
    emitDeclarationOnly: false,
    ...(areTypesBuilt ? { customConditions: [] } : {}),
    typeRoots: [join(root, "node_modules/@types")],
  },
  include: ["*.ts"],
});

test("the plugin and a program that uses it compile", () => {
  const lines = output.split("\n").filter((line) => /^(own-plugin|good)\.ts/.test(line));
  expect(lines).toEqual([]);
});

test.each(Object.keys(BAD).map((name, index) => [name, index] as const))("%s is a type error", (_name, index) => {
  const line = HEAD.split("\n").length;
  expect(output).toContain(`${fileOf(index)}(${line},`);
});

test("only the planted lines are refused", () => {
  const files = output.split("\n").flatMap((line) => /^([^\s(/]+)\(\d+,\d+\): error/.exec(line)?.[1] ?? []);
  expect(new Set(files)).toEqual(new Set(Object.keys(BAD).map((_name, index) => fileOf(index))));
});

test("the plugin's operation, function and action run", async () => {
  const { code, stdout, stderr } = await runProgram("own-plugin.ts");
  expect(stderr).toBe("");
  expect(stdout).toMatch(/^Recorded v2\.1 as \w+ by system; it is in OpenAPI too\.$/m);
  expect(stdout).toContain("Rolled out release-2, and then: Paged the people on call.");
  expect(code).toBe(0);
});
