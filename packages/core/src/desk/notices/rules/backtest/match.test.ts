import { expect, test } from "vitest";
import type { Invocation } from "../../../../fleet/alerts/model.ts";
import { matched, secondsOf } from "./match.ts";

const run = (fired: number, to?: number, place = "s1") => ({
  ...{ alert: { id: "hot" }, place, fired, ...(to === undefined ? {} : { to }) },
});
const real = (id: string, fired: number, modified?: number, members: Partial<Invocation> = {}): Invocation =>
  ({
    ...{ id, alert: "hot", server: "s1", date: fired, fired, active: modified === undefined },
    ...{ modified: modified ?? fired, ...members },
  }) as Invocation;

test.each<[string, readonly ReturnType<typeof run>[], readonly Invocation[], readonly (string | undefined)[]]>([
  ["in the same minute", [run(60, 180)], [real("i1", 77, 190)], ["i1"]],
  ["of another alert", [run(60, 180)], [real("i1", 77, 190, { alert: "cold" })], [undefined]],
  ["on another subject", [run(60, 180, "event:e1")], [real("i1", 77, 190)], [undefined]],
  ["over before", [run(300, 360)], [real("i1", 77, 190)], [undefined]],
  ["not begun yet", [run(60, 180)], [real("i1", 200)], [undefined]],
  ["live to the end", [run(600)], [real("i1", 77)], ["i1"]],
  ["each once, in order", [run(60, 120), run(180, 240)], [real("i2", 185, 250), real("i1", 61, 125)], ["i1", "i2"]],
  ["one long one for the first of two", [run(60, 120), run(180, 240)], [real("i1", 61, 250)], ["i1", undefined]],
])("stored firings of the same time: %s", (_name, runs, stored, ids) => {
  const found = matched(runs, stored);
  expect(runs.map((each) => found.get(each)?.id)).toEqual(ids);
});

test("a stored firing that began or ended in a minute names the second of its evaluation", () => {
  const secondOf = secondsOf([real("i1", 77, 190), real("i2", 300, 361, { stale: true }), real("i3", 425)]);
  expect([60, 180, 240, 300, 360, 420].map((minute) => secondOf("s1", minute))).toEqual([17, 10, 0, 0, 0, 5]);
  expect(secondOf("s2", 60)).toBe(0);
});
