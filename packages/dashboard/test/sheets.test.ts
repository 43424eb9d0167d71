import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const app = fileURLToPath(new URL("../src/app/", import.meta.url));
const sheets = readdirSync(join(app, "pages"), { recursive: true, encoding: "utf8" }).filter((path) =>
  path.endsWith(".css"),
);

/** Classes at the start of the rules of a sheet. */
const classesOf = (css: string): Set<string> =>
  new Set(
    [...css.matchAll(/(?:^|[,{}])\s*\.([\w-]+)/g)]
      .flatMap(([, name]) => name ?? [])
      .filter((name) => !shared.has(name)),
  );
const shared = new Set(
  readdirSync(join(app, "style"))
    .filter((name) => name.endsWith(".css"))
    .flatMap((name) => [...readFileSync(join(app, "style", name), "utf8").matchAll(/\.([a-z][\w-]*)/g)])
    .flatMap(([, name]) => name ?? []),
);

test("a class of one page's sheet is not used by another page: all sheets are sent as one", () => {
  const owners = new Map<string, string[]>();
  for (const path of sheets)
    for (const name of classesOf(readFileSync(join(app, "pages", path), "utf8")))
      owners.set(name, [...(owners.get(name) ?? []), basename(path)]);
  expect([...owners].filter(([, files]) => files.length > 1)).toEqual([]);
  expect(owners.size).toBeGreaterThan(50);
});
