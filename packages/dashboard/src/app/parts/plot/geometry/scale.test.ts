import { describe, expect, test } from "vitest";
import { heightOf, timeLabels } from "./scale.ts";

test.each([
  ["begins at zero", { low: 20, high: 40 }, [0, 44]],
  ["ends no lower than asked", { low: 2, high: 4, atLeast: 100 }, [0, 100]],
  ["holds the limit", { low: 2, high: 4, limit: 10 }, [0, 11]],
  ["holds a limit below zero", { low: 2, high: 4, limit: -10 }, [-11, 4.4]],
  ["keeps zero for close values unless cutting is requested", { low: 88, high: 90 }, [0, 99]],
  ["cuts close values on request", { low: 88, high: 90, isClose: true }, [87.5, 90.5]],
  ["does not cut when the limit is far", { low: 20, high: 22, limit: 90, isClose: true }, [0, 99]],
  ["goes below zero with the values", { low: -10, high: 5 }, [-11, 5.5]],
])("the vertical axis %s", (_what, given, [from, to]) => {
  const [low, high] = heightOf(given);
  expect(low).toBeCloseTo(from as number);
  expect(high).toBeCloseTo(to as number);
});

describe("labels of the time axis", () => {
  const zone = (options: Intl.DateTimeFormatOptions) => (at: number) =>
    new Intl.DateTimeFormat("en-GB", { timeZone: "Europe/Berlin", ...options }).format(at * 1000);
  const words = {
    clock: zone({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" }),
    seconds: zone({ hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" }),
    day: zone({ day: "numeric", month: "short" }),
    month: zone({ month: "short" }),
    zoned: zone({ hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZoneName: "shortOffset" }),
  };
  const hours = (from: string, count: number) =>
    Array.from({ length: count }, (_, at) => Date.parse(from) / 1000 + at * 3600);

  test("the repeated hour has its offset", () => {
    expect(timeLabels(hours("2026-10-25T00:00Z", 3), words)).toEqual(["02:00 GMT+2", "02:00 GMT+1", "03:00"]);
  });
  test("the skipped hour is left out", () => {
    expect(timeLabels(hours("2026-03-29T00:00Z", 3), words)).toEqual(["01:00", "03:00", "04:00"]);
  });
  test("a new day shows its date", () => {
    expect(timeLabels(hours("2026-11-23T22:00Z", 3), words)).toEqual(["23:00", "24 Nov", "01:00"]);
  });
  test("days and months are named alone", () => {
    const days = [0, 1].map((day) => Date.UTC(2026, 10, 2 + day) / 1000);
    expect(timeLabels(days, words)).toEqual(["2 Nov", "3 Nov"]);
    const shortest = ["2026-03-28T23:00Z", "2026-03-29T22:00Z"].map((day) => Date.parse(day) / 1000);
    expect(timeLabels(shortest, words)).toEqual(["29 Mar", "30 Mar"]);
    const months = [0, 1].map((month) => Date.UTC(2026, 5 + month, 2) / 1000);
    expect(timeLabels(months, words)).toEqual(["Jun", "Jul"]);
  });
});
