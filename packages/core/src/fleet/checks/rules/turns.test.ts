import { expect, test } from "vitest";
import { newState } from "./standing.ts";
import { firstOf, isDue, isOwn } from "./turns.ts";

const NOW = 1_800_000_000;
const check = { id: "ck1", every: 60, created: NOW };

test.each<[number | undefined, boolean]>([
  [undefined, true],
  [NOW, true],
  [NOW + 1, false],
  [NOW + 60, false],
  // The clock was set back.
  [NOW + 61, true],
])("a check whose next turn is %s is due: %s", (next, due) => {
  expect(isDue(check, next === undefined ? undefined : newState("ck1", next), NOW)).toBe(due);
});

test("nodes share checks evenly, in whatever order they are known, and keep most when one leaves", () => {
  const ids = Array.from({ length: 300 }, (_each, at) => `ck${at}`);
  const of = (nodes: readonly string[]) => ids.map((id) => firstOf(id, nodes));
  const three = of(["a", "b", "c"]);
  expect(of(["c", "a", "b"])).toEqual(three);
  for (const node of ["a", "b", "c"]) expect(three.filter((first) => first === node).length).toBeGreaterThan(60);
  const two = of(["a", "b"]);
  expect(three.every((first, at) => first === "c" || first === two[at])).toBe(true);
});

test("a turn belongs to the first node alone, and to all nodes after twenty seconds", () => {
  const nodes = ["a", "b"];
  const first = firstOf("ck1", nodes);
  const own = (now: number) => nodes.filter((self) => isOwn(check, newState("ck1", NOW), { now, self, nodes }));
  expect(own(NOW + 19)).toEqual([first]);
  expect(own(NOW + 20)).toEqual(nodes);
});
