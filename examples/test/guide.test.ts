import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CODE } from "./program.ts";

const run = promisify(execFile);
const docs = fileURLToPath(new URL("../../docs/", import.meta.url));

/** Snippets of the guides that check themselves: they play in a test box. */
const PAGES = ["workflows", "testing"];
const isWhole = (code: string): boolean => /createTestSignalbox\(/.test(code) && /\bassert\b/.test(code);

let folder: string;
beforeAll(async () => {
  await mkdir(join(docs, ".cache"), { recursive: true });
  folder = await mkdtemp(join(docs, ".cache", "guide-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each(PAGES)("the snippets of the guide %s do what they say", async (page) => {
  const text = await readFile(join(docs, "guide", `${page}.md`), "utf8");
  const found = [...text.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code = ""]) => code).filter(isWhole);
  expect(found.length).toBeGreaterThan(1);
  const files = found.map((_code, index) => `${page}-${index}.ts`);
  for (const [index, code] of found.entries()) await writeFile(join(folder, `${page}-${index}.ts`), code);
  // One after another in one process, whose start costs more than they do; boxes share nothing.
  const all = join(folder, `${page}.ts`);
  await writeFile(all, [...files.map((file) => `await import("./${file}");`), "export {};", ""].join("\n"));
  const { stderr } = await run(process.execPath, [...CODE, all]);
  expect(stderr).toBe("");
});

test("the kit of the page about storages runs as it is printed", async () => {
  const text = await readFile(join(docs, "guide", "writing-a-storage.md"), "utf8");
  const [, code = ""] = /^```ts\n(.*?)^```/ms.exec(text) ?? [];
  const file = join(folder, "storage-kit.ts");
  await writeFile(file, code);
  const { stdout } = await run(process.execPath, [...CODE, "--test-reporter=tap", file]);
  expect(Number(/^# pass (\d+)/m.exec(stdout)?.[1])).toBeGreaterThan(50);
  expect(stdout).toMatch(/^# fail 0$/m);
});
