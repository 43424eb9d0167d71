import { expect, test } from "vitest";
import { INCIDENTS, playHours, type Told } from "../../../test/quiet-week.ts";

/** Until Monday afternoon; all of the week with `npm run soak -- week`. */
const HOURS = process.env["SIGNALBOX_WEEK"] === "whole" ? 7 * 24 : 16;

const shown = ({ kind, date, named }: Told): string =>
  `${new Date(date * 1000).toISOString().slice(0, 16)} ${kind} ${named.join(", ")}`;

test(`${HOURS} hours of a fresh installation: what goes wrong is told once, and of the rest less than a notice a day`, async () => {
  const told = await playHours(0, HOURS);
  const expected = Object.values(INCIDENTS).flatMap(({ day, from, tells }) =>
    day * 24 + from / 60 < HOURS ? tells : [],
  );
  const isReal = (title: string): boolean => expected.includes(title);
  expect(told.flatMap(({ fresh }) => fresh.filter(isReal)).toSorted()).toEqual(expected.toSorted());
  const needless = told.filter(({ named }) => !named.some(isReal)).map(shown);
  expect(needless.length, needless.join("\n")).toBeLessThan(Math.max(1, HOURS / 24));
});
