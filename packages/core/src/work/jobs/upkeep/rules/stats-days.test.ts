import { describe, expect, test } from "vitest";
import type { JobStatsRow } from "../../model.ts";
import { dayEntries, dayRows } from "./stats-days.ts";

const row = (id: string, counts: Record<string, number>, epoch?: number): JobStatsRow => ({
  id,
  counts,
  ...(epoch === undefined ? {} : { epoch }),
});
const SECTIONS = ["alerts", "categories", "channels", "events", "groups", "plugins", "servers", "web_hooks"];
const whole = [
  row("2026-11-24/", { job_start: 3, requests: 7, bytes_in: 100, bytes_out: 5 }, 1_795_500_000),
  ...SECTIONS.map((section) => row(`2026-11-24/${section}/x1`, { job_start: 1 })),
];
const cut = [
  row("2026-11-24#cuts", { cuts: 2 }),
  ...whole,
  row("2026-11-24:0001/", { search: 1 }, 1_795_510_000),
  row("2026-11-24:0001/events/e1", { job_start: 1 }),
  row("2026-11-24:0002/", { search: 4 }, 1_795_520_000),
];

describe("a day of statistics", () => {
  test.each<[string, JobStatsRow[]]>([
    ["with every kind of thing", whole],
    ["that was cut twice", cut],
    ["that was cut, with nothing counted since", [row("2026-11-24#cuts", { cuts: 1 }), ...whole]],
    ["of which one thing alone was counted", [row("2026-11-24/", { search: 1 }, 1_795_500_000)]],
  ])("%s is rebuilt from its entries", (_what, rows) => {
    const back = new Map(dayEntries(rows).flatMap((entry) => dayRows(entry).map((each) => [each.id, each])));
    expect([...back.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
      rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    );
  });

  test("is one entry where it was never split, as other systems write it", () => {
    expect(dayEntries(whole)).toMatchObject([
      {
        date: "2026-11-24",
        epoch: 1_795_500_000,
        data: { transactions: { job_start: 3 }, requests: 7, bytes_in: 100 },
      },
    ]);
    expect(dayEntries(whole)[0]).not.toHaveProperty("period");
    expect(dayEntries(cut).map(({ period }) => period)).toEqual([undefined, 1, 2]);
  });
});

test.each<[string, Record<string, unknown>, JobStatsRow[]]>([
  ["a day with slashes", { date: "2026/11/24", data: { transactions: { a: 1 } } }, [row("2026-11-24/", { a: 1 })]],
  [
    "a day by its time",
    { epoch: 1_795_500_000, data: { transactions: { a: 1 } } },
    [row("2026-11-24/", { a: 1 }, 1_795_500_000)],
  ],
  [
    "an invalid counter",
    {
      date: "2026-11-24",
      data: {
        transactions: { a: "1", "b c": 2, d: Number.NaN },
        unknown: { x: { a: 1 } },
        events: { "../x": { a: 1 } },
      },
    },
    [],
  ],
  ["an invalid period", { date: "2026-11-24", period: -1, data: {} }, []],
])("%s", (_what, entry, rows) => {
  expect(dayRows(entry)).toEqual(rows);
});

test("an entry without a day is refused", () => {
  expect(() => dayRows({ data: {} })).toThrow("An entry of the counters has no day");
});
