import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const core = join(root, "packages/core/src");
const page = readFileSync(join(root, "docs/guide/internals.md"), "utf8");
const sources = readdirSync(core, { recursive: true })
  .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
  .map((path) => readFileSync(join(core, path), "utf8"))
  .join("\n");

const wordsOf = (text) => [...text.replace(/^```[\s\S]*?^```/gm, "").matchAll(/`([^`\n]+)`/g)].map(([, word]) => word);
const isPath = (word) => /^(?:kernel|directory|fleet|work|desk)\//.test(word);
const isThere = (path) => existsSync(join(core, path));
const isCollection = (word) => new RegExp(`\\bname: "${word}",`).test(sources);
/** Matches product text outside of comments: a member, an operation, an event, a kind of queued work. */
const isNamed = (word) => new RegExp(`^(?! *(?:\\*|//)).*\\b${word.replace(/\W/g, "\\$&")}\\b`, "m").test(sources);

test("the page about internals names existing files", () => {
  const named = wordsOf(page).filter((word) => isPath(word) && word.endsWith(".ts"));
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((path) => !isThere(path))).toEqual([]);
});

const [, table = ""] = page.split("\n## Where it is decided, stored and told\n");
const features = table
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| What |"))
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .map(([, what, decided, stored, told]) => ({ what, decided, stored, told }));

test("at least ten features have an answer", () => {
  expect(features.length).toBeGreaterThanOrEqual(10);
});

describe.each(features)("$what", ({ decided, stored, told }) => {
  test("is decided in existing files", () => {
    expect(wordsOf(decided).filter(isPath).length).toBeGreaterThan(0);
    expect(wordsOf(decided).filter((word) => isPath(word) && !isThere(word))).toEqual([]);
  });

  test("is stored in an existing collection, under existing members", () => {
    expect(wordsOf(stored).some(isCollection)).toBe(true);
    expect(wordsOf(stored).filter((word) => /\w/.test(word) && !isNamed(word))).toEqual([]);
  });

  test("is sent by existing files, members and events", () => {
    expect(wordsOf(told).filter((word) => (isPath(word) ? !isThere(word) : !isNamed(word)))).toEqual([]);
  });
});
