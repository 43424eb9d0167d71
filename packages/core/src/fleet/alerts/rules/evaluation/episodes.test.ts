import { expect, test } from "vitest";
import { type Episode, episodeOf, type FlapRule, flapRuleOf, type Spell } from "./episodes.ts";

const MINUTE = 60;
const HOUR = 3600;
const rule: FlapRule = { count: 4, window: 3 * HOUR };

/** `count` firings of five minutes each, `minutes` apart. */
const every = (minutes: number, count: number, from = 0): Spell[] =>
  Array.from({ length: count }, (_each, at) => {
    const start = from + at * minutes * MINUTE;
    return { from: start, to: start + 5 * MINUTE };
  });
/** The same, with the last one still live. */
const live = (spells: readonly Spell[]): Spell[] =>
  spells.map((spell, at) => (at === spells.length - 1 ? { from: spell.from } : spell));

test.each<[string, Spell[], Partial<FlapRule>, Episode | undefined]>([
  ["no firing", [], {}, undefined],
  ["one firing", live(every(20, 1)), {}, undefined],
  ["three within an hour", live(every(20, 3)), {}, undefined],
  ["the fourth within three hours", live(every(20, 4)), {}, { since: HOUR, quiet: HOUR, count: 4 }],
  ["and all that follow", live(every(20, 9)), {}, { since: HOUR, quiet: HOUR, count: 9 }],
  ["four that are too far apart", live(every(61, 4)), {}, undefined],
  ["eight within a day", live(every(61, 8)), {}, { since: 7 * 61 * MINUTE, quiet: HOUR, count: 8 }],
  ["eight within more than a day", live(every(210, 8)), {}, undefined],
  ["an alert that may flap", live(every(20, 9)), { count: 0 }, undefined],
  ["two where two are enough", live(every(20, 2)), { count: 2 }, { since: 20 * MINUTE, quiet: HOUR, count: 2 }],
  ["a short window", live(every(3, 4)), { window: 600 }, { since: 9 * MINUTE, quiet: HOUR / 2, count: 4 }],
  ["a quiet hour", live([...every(20, 4), ...every(20, 1, 3 * HOUR)]), {}, undefined],
  [
    "a second firing within a day of an episode",
    live([...every(20, 4), ...every(20, 2, 3 * HOUR)]),
    {},
    { since: 3 * HOUR + 20 * MINUTE, quiet: 2 * HOUR, count: 2 },
  ],
  ["a second firing a day later", live([...every(20, 4), ...every(20, 2, 27 * HOUR)]), {}, undefined],
  ["a firing that lasts as long as the quiet", [...every(20, 3), { from: HOUR, to: 2 * HOUR }], {}, undefined],
  [
    "the next one after it, which is the second since the end",
    [...every(20, 3), { from: HOUR, to: 2 * HOUR }, { from: 121 * MINUTE }],
    {},
    { since: 121 * MINUTE, quiet: 2 * HOUR, count: 2 },
  ],
])("%s", (_name, spells, members, episode) => {
  expect(episodeOf(spells, { ...rule, ...members })).toEqual(episode);
});

test.each([
  [2 * HOUR + 4 * MINUTE, true],
  [2 * HOUR + 5 * MINUTE, false],
])("at %d after four firings, the last ended at 1:05, it flaps: %s", (now, flaps) => {
  expect(episodeOf(every(20, 4), rule, now) !== undefined).toBe(flaps);
});

test("the required quiet time doubles up to twelve hours", () => {
  const spells: Spell[] = every(2, 2);
  const quiets: number[] = [];
  for (let at = HOUR; quiets.length < 5; at += (quiets.at(-1) ?? 0) + 2 * HOUR) {
    spells.push(...every(10, 2, at));
    const episode = episodeOf(spells, { count: 2, window: 43_200 });
    if (episode) quiets.push(episode.quiet);
  }
  expect(quiets).toEqual([14_400, 28_800, 43_200, 43_200, 43_200]);
});

test.each([
  [{}, { count: 4, window: 10_800 }],
  [
    { flap_count: 0, flap_window: null },
    { count: 0, window: 10_800 },
  ],
  [
    { flap_count: 6, flap_window: 600 },
    { count: 6, window: 600 },
  ],
])("%j is the rule %j", (alert, expected) => {
  expect(flapRuleOf(alert)).toEqual(expected);
});
