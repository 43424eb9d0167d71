import { effect } from "@preact/signals";
import { beforeEach, expect, test } from "vitest";
import { LANGUAGES, type Language, language } from "./catalogue.ts";
import { bytes, list, now, number, stretch, timeZone, when } from "./format.ts";

const at = (text: string): number => Date.parse(`${text}Z`) / 1000;

beforeEach(() => {
  timeZone.value = "UTC";
  now.value = at("2026-11-18T14:00");
});

test.each([
  ["of today", "2026-11-18T09:00", "2026-11-18T10:00", "09:00", "10:00"],
  ["of another day", "2026-11-16T09:00", "2026-11-16T10:00", "Mon Nov 16, 09:00", "10:00"],
  ["up to today", "2026-09-19T15:00", "2026-11-18T14:00", "Sat Sep 19, 15:00", "Wed Nov 18, 14:00"],
  ["up to last year's end", "2025-12-31T09:00", "2025-12-31T23:00", "Dec 31, 2025, 09:00", "23:00"],
  ["of some days", "2026-11-09T15:00", "2026-11-11T14:00", "Mon Nov 9, 15:00", "Wed Nov 11, 14:00"],
])("a period %s names each day once", (_which, begin, end, from, to) => {
  expect(stretch(at(begin), at(end))).toEqual({ from, to });
});

test.each([
  [0, "0 B"],
  [1023, "1,023 B"],
  [1024, "1 KB"],
  [1536, "1.5 KB"],
  [1024 ** 2 - 1, "1 MB"],
  [16 * 1024 ** 3, "16 GB"],
  [5e9, "4.7 GB"],
  [3000 * 1024 ** 4, "3,000 TB"],
])("%d bytes are %s", (size, text) => expect(bytes(size)).toBe(text));

test.each(Object.keys(LANGUAGES) as Language[])("numbers of the language %s", (chosen) => {
  language.value = chosen;
  for (const value of [-1000, -999, 0, 7, 999, 1000, 999.6, 12_345]) {
    const written = new Intl.NumberFormat(chosen, { maximumFractionDigits: 0 }).format(value);
    expect(number(value)).toBe(written);
  }
  language.value = "en";
});

test.each([
  [[], ""],
  [["a"], "a"],
  [["a", "b"], "a and b"],
  [["a", "b", "c"], "a, b, and c"],
])("%j as a list is %j", (items, text) => expect(list(items)).toBe(text));

test("texts with a time are updated when the day ends, and not with each second", () => {
  const drawn: string[] = [];
  const stop = effect(() => void drawn.push(when(at("2026-11-18T13:00"))));
  for (let second = 1; second <= 120; second += 1) now.value = at("2026-11-18T14:00") + second;
  expect(drawn).toEqual(["13:00"]);
  now.value = at("2026-11-19T00:00");
  expect(drawn).toEqual(["13:00", "Wed Nov 18, 13:00"]);
  stop();
});
