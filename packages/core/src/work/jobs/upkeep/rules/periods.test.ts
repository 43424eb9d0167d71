import { expect, test } from "vitest";
import { cutsId, dayOfRow, inPeriod, treeOf } from "./periods.ts";

test("ids of periods are in the order of time", () => {
  const ids = ["2026-11-24/", "2026-11-24/events/e1", "2026-11-24:0001/", "2026-11-24:0012/events/e1", "2026-11-25/"];
  expect(ids.toSorted()).toEqual(ids);
  expect([0, 1, 12].map((cut) => inPeriod("2026-11-24/events/a/b", cut))).toEqual([
    "2026-11-24/events/a/b",
    "2026-11-24:0001/events/a/b",
    "2026-11-24:0012/events/a/b",
  ]);
  expect(ids.map(dayOfRow)).toEqual([...Array(4).fill("2026-11-24"), "2026-11-25"]);
  expect(cutsId("2026-11-24")).toBe("2026-11-24#cuts");
});

test("rows become a tree, traffic beside the transactions", () => {
  expect(
    treeOf([
      ["", { job_start: 1, requests: 7, bytes_in: 100 }],
      ["", { job_start: 2, search: 1 }],
      ["events/e1", { job_start: 1 }],
      ["events/e1", { job_start: 1 }],
      ["events/e2", { job_start: 1 }],
      ["events/__proto__", { job_start: 1 }],
      ["/lost", { job_start: 1 }],
    ]),
  ).toEqual({
    transactions: { job_start: 3, search: 1 },
    events: { e1: { job_start: 2 }, e2: { job_start: 1 }, ["__proto__"]: { job_start: 1 } },
    requests: 7,
    bytes_in: 100,
  });
  expect(treeOf([])).toEqual({ transactions: {} });
});
