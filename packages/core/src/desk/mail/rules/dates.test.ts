import { describe, expect, test } from "vitest";
import { formatDate } from "./dates.ts";

const berlin = { timeZone: "Europe/Berlin", locale: "en-US" };
/** Saturday, 21 November 2026, 00:07:09 in Berlin. */
const MOMENT = Date.parse("2026-11-20T23:07:09Z") / 1000;

describe("a date in a text", () => {
  test.each([
    ["[yyyy]-[mm]-[dd] [hh]:[mi]:[ss]", "2026-11-21 00:07:09"],
    ["[dddd], [mmmm] [mday], [yyyy] [hour12]:[mi] [ampm]", "Saturday, November 21, 2026 12:07 am"],
    ["[ddd] [mmm] [mon] [yy] [AMPM]", "Sat Nov 11 26 AM"],
    ["[unknown] [YYYY] [] [constructor]", "[unknown] [YYYY] [] [constructor]"],
  ])("by %s is %s", (format, expected) => {
    expect(formatDate(format, MOMENT, berlin)).toBe(expected);
  });

  test("at noon and in the afternoon is pm", () => {
    const noon = Date.parse("2026-11-21T11:05:00Z") / 1000;
    expect(formatDate("[hour12] [ampm]", noon, berlin)).toBe("12 pm");
    expect(formatDate("[hour12] [AMPM]", noon + 7200, berlin)).toBe("2 PM");
  });

  test("names months in the language of the installation", () => {
    expect(formatDate("[dddd], [mday]. [mmmm]", MOMENT, { ...berlin, locale: "de-DE" })).toBe("Samstag, 21. November");
  });

  test("an invalid date leaves its macros unchanged", () => {
    expect(formatDate("[yyyy]", Number.NaN, berlin)).toBe("[yyyy]");
  });
});
