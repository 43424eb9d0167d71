import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url);
const page = readFileSync(new URL("docs/guide/internals.md", root), "utf8");

test("the page that says where things are decided, stored and told names files that are there", () => {
  const named = [...page.matchAll(/`((?:kernel|directory|fleet|work|desk)\/[\w./-]+\.ts)`/g)].map(([, path]) => path);
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((path) => !existsSync(new URL(`packages/core/src/${path}`, root)))).toEqual([]);
});
