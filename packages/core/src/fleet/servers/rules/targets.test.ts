import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { a, b, c, candidate } from "../../../../test/fleet/candidates.ts";
import { type Candidate, resolveTargets } from "./targets.ts";

const off = candidate("off", { enabled: false });
const fleet = [a, b, c, off];
const ids = (servers: readonly Candidate[]): string => servers.map(({ id }) => id).join(",");

describe("the servers that targets name", () => {
  test.each<[string[] | string, string]>([
    [["main"], "a,b"],
    [["db"], "a,c"],
    [["db", "main"], "a,c,b"],
    [["b", "main"], "b,a"],
    [["a", "a", "main", "main"], "a,b"],
    [["off"], ""],
    [["nope"], ""],
    [[], ""],
    ["", ""],
    ["b,db", "b,a,c"],
    [" b , db ", "b,a,c"],
    [["__proto__", "constructor"], ""],
  ])("%o are %s", (targets, expected) => {
    expect(ids(resolveTargets(targets, fleet))).toBe(expected);
  });

  test("a server takes precedence over a group of the same name", () => {
    const twin = candidate("main", { groups: [] });
    expect(ids(resolveTargets(["main"], [...fleet, twin]))).toBe("main");
  });

  test("each is listed once, in the order of its first mention", () => {
    const names = fc.array(fc.constantFrom("a", "b", "c", "off", "main", "db", "x"));
    fc.assert(
      fc.property(names, (targets) => {
        const found = resolveTargets(targets, fleet);
        expect(new Set(found).size).toBe(found.length);
        expect(found.every(({ enabled }) => enabled)).toBe(true);
      }),
    );
  });
});
