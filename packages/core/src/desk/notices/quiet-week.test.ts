import { expect, test } from "vitest";
import { INCIDENTS, playHours, type Told } from "../../../test/desk/quiet-week.ts";

/** Hours of the week to play: around the faults of Monday, or the whole week with `npm run soak -- week`. */
const SPANS: readonly (readonly [number, number])[] =
  process.env["SIGNALBOX_WEEK"] === "whole"
    ? [[0, 7 * 24]]
    : [
        [2, 4],
        [10, 12],
        [13, 16],
      ];
const HOURS = SPANS.reduce((sum, [from, to]) => sum + to - from, 0);

const shown = ({ kind, date, named }: Told): string =>
  `${new Date(date * 1000).toISOString().slice(0, 16)} ${kind} ${named.join(", ")}`;

test(`${HOURS} hours of a fresh installation report each fault once, and otherwise less than a notice a day`, async () => {
  const told = [];
  for (const [from, to] of SPANS) told.push(...(await playHours(from, to)));
  const expected = Object.values(INCIDENTS).flatMap(({ day, from, tells }) =>
    SPANS.some(([begin, end]) => day * 24 + from / 60 >= begin && day * 24 + from / 60 < end) ? tells : [],
  );
  const isReal = (title: string): boolean => expected.includes(title);
  expect(told.flatMap(({ fresh }) => fresh.filter(isReal)).toSorted()).toEqual(expected.toSorted());
  const needless = told.filter(({ named }) => !named.some(isReal)).map(shown);
  expect(needless.length, needless.join("\n")).toBeLessThan(Math.max(1, HOURS / 24));
});
