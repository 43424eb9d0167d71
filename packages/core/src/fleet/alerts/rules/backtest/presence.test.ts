import { expect, test } from "vitest";
import type { Presence } from "../evaluation/presence.ts";
import { pastPresence } from "./presence.ts";

const seen = [
  { from: 600, to: 660 },
  { from: 900, to: 900 },
];
const silences = (members: Partial<Parameters<typeof pastPresence>[0]> = {}): (readonly [number, number, boolean])[] =>
  [...pastPresence({ server: { enabled: true }, isEphemeral: false, seen, until: 1080, ...members })].map(
    ({ date, context }) => {
      const { silent_sec, expected } = context["presence"] as Presence;
      return [date, silent_sec, expected];
    },
  );

test("a gap of the minutes is a silence, from the first minute on", () => {
  expect(silences().map(([date, silent]) => [date, silent])).toEqual([
    [600, 0],
    [660, 0],
    [720, 0],
    [780, 120],
    [840, 180],
    [900, 0],
    [960, 0],
    [1020, 120],
    [1080, 180],
  ]);
  expect(silences({ seen: [] })).toEqual([]);
});

test.each([
  [{ server: { enabled: false } }, false],
  [{ isEphemeral: true }, false],
  [{}, true],
])("%j is expected: %s", (members, expected) => {
  expect(new Set(silences(members).map(([, , isExpected]) => isExpected))).toEqual(new Set([expected]));
});
