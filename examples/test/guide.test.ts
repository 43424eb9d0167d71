import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createTestSignalbox } from "@signalbox/core/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CODE } from "./program.ts";

const run = promisify(execFile);
const docs = fileURLToPath(new URL("../../docs/", import.meta.url));

/** Pages with snippets that check themselves: they run in a test box. */
const PAGES = ["workflows", "testing"];
const isWhole = (code: string): boolean => /createTestSignalbox\(/.test(code) && /\bassert\b/.test(code);

let folder: string;
beforeAll(async () => {
  await mkdir(join(docs, ".cache"), { recursive: true });
  folder = await mkdtemp(join(docs, ".cache", "guide-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each(PAGES)("the snippets of the guide %s have the described effect", async (page) => {
  const text = await readFile(join(docs, "guide", `${page}.md`), "utf8");
  const found = [...text.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code = ""]) => code).filter(isWhole);
  expect(found.length).toBeGreaterThan(1);
  const files = found.map((_code, index) => `${page}-${index}.ts`);
  for (const [index, code] of found.entries()) await writeFile(join(folder, `${page}-${index}.ts`), code);
  // All in one process, whose start costs more than the snippets do; boxes share nothing.
  const all = join(folder, `${page}.ts`);
  await writeFile(all, [...files.map((file) => `await import("./${file}");`), "export {};", ""].join("\n"));
  const { stderr } = await run(process.execPath, [...CODE, all]);
  expect(stderr).toBe("");
});

test("the kit of the page about storages runs as printed", async () => {
  const text = await readFile(join(docs, "guide", "writing-a-storage.md"), "utf8");
  const [, code = ""] = /^```ts\n(.*?)^```/ms.exec(text) ?? [];
  const file = join(folder, "storage-kit.ts");
  await writeFile(file, code);
  const { stdout } = await run(process.execPath, [...CODE, "--test-reporter=tap", file]);
  expect(Number(/^# pass (\d+)/m.exec(stdout)?.[1])).toBeGreaterThan(50);
  expect(stdout).toMatch(/^# fail 0$/m);
});

const read = (path: string): Promise<string> => readFile(join(docs, "..", path), "utf8");
const packageOf = (module: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(module)?.[0] ?? module;

test.each([
  ["docs/guide/deployment.md", "examples/container/ops.ts"],
  ["docs/guide/hosts/index.md", "examples/hosts/ops.ts"],
  ["README.md", "README.md"],
])("%s lists all packages that %s loads", async (page, program) => {
  const [, line = ""] = /^npm i (.*@signalbox\/core .*)$/m.exec(await read(page)) ?? [];
  const imports = [...(await read(program)).matchAll(/^import .* from "(?!node:|\.)([^"]+)";$/gm)].map(
    ([, name = ""]) => name,
  );
  expect(imports).toContain("@signalbox/core");
  // Entry points of the adapters that need a third-party package.
  const doors = (await read("packages/adapters/README.md")).matchAll(/^\| `(\/[\w-]+)` \|.*\| `([\w-]+)` \|$/gm);
  const behind = new Map([...doors].map(([, door = "", needed = ""]) => [`@signalbox/adapters${door}`, needed]));
  expect(behind.size).toBeGreaterThan(1);
  const loaded = imports.flatMap((name) => [packageOf(name), behind.get(name) ?? []].flat());
  expect(line.split(" ")).toEqual(expect.arrayContaining(loaded));
});

test("the misspelt call of the first steps is about an alert that every fresh store has", async () => {
  const [, body = ""] = /-d '(.*"sampels".*)'/.exec(await read("docs/guide/getting-started.md")) ?? [];
  await using box = await createTestSignalbox();
  expect((await box.api.getAlert(JSON.parse(body))).alert).toMatchObject({ samples: expect.any(Number) });
});
