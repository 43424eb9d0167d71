import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

test("each heading of the troubleshooting page is a message in the sources", () => {
  // The packages, and the stand-alone server's command line.
  const parts = ["packages/*/src/**/*.ts", "examples/lib/command-line/**/*.ts"];
  const files = globSync(parts, { cwd: root }).filter((name) => !name.endsWith(".test.ts"));
  const sources = files.map((name) => readFileSync(join(root, name), "utf8")).join("\n");
  const page = readFileSync(join(root, "docs/guide/troubleshooting.md"), "utf8");
  const said = [...page.matchAll(/^## (.+)$/gm)].map(([, words = ""]) => words);
  expect(said.length).toBeGreaterThan(10);
  expect(said.filter((words) => !sources.includes(words))).toEqual([]);
});

test("every refusal code of an operation has its row on the troubleshooting page and in the contract", () => {
  const reference = readFileSync(join(root, "docs/reference/operations.md"), "utf8");
  const wordsIn = (text: string) => [...text.matchAll(/`([a-z_]+)`/g)].map(([, word = ""]) => word);
  const codes = new Set([...reference.matchAll(/Refuses with ([^.]+)\./g)].flatMap(([, list = ""]) => wordsIn(list)));
  expect(codes.size).toBeGreaterThan(30);
  const page = readFileSync(join(root, "docs/guide/troubleshooting.md"), "utf8");
  const rows = new Set([...page.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = ""]) => wordsIn(cell)));
  const contract = new Set(wordsIn(readFileSync(join(root, "docs/contract/errors.md"), "utf8")));
  expect([...codes].filter((code) => !rows.has(code) || !contract.has(code))).toEqual([]);
});

test("llms.txt names existing pages", () => {
  const file = join(root, "docs/llms.txt");
  const links = [...readFileSync(file, "utf8").matchAll(/\]\(([^)]+)\)/g)].map(([, link = ""]) => link);
  expect(links.length).toBeGreaterThan(20);
  expect(links.filter((link) => !existsSync(join(dirname(file), link)))).toEqual([]);
});
