import fc from "fast-check";
import { expect, test } from "vitest";
import { recordOf } from "./judged.ts";
import { BEGIN, named } from "./names.ts";
import { type Cell, cells } from "./plan.ts";
import { isQuiet } from "./promises/told.ts";
import { livesOf, type Recorded } from "./record.ts";
import type { Played } from "./world.ts";

const [any] = fc.sample(cells, { seed: 1, numRuns: 1 }) as [Cell];
const plan: Cell = { ...any, isChained: false, silences: [], acks: [], jobs: [] };
const at = (minute: number): number => BEGIN + minute * 60;

/** One firing from minute 2 to 12 that was told in minute 6. */
const played = (members: Partial<Played> = {}): Played =>
  ({
    rows: {
      invocations: [
        { id: "f1", alert: named(0, "a", 0), server: named(0, "s", 1), date: at(2), active: false, modified: at(12) },
      ],
      notices: [{ id: "no1", route: named(0, "t", 0), date: at(6), kind: "firing", new: ["f1"] }],
      ...{ problems: [], decisions: [], noFallback: [] },
    },
    ...{ attempts: [], away: [], faults: [], changed: [], snooze: undefined },
    ...members,
  }) as unknown as Played;

test.each<[string, Partial<Cell>, Partial<Played>, number]>([
  ["nothing keeps it back", {}, {}, 0],
  ["all alerts are snoozed", {}, { snooze: { from: 4, to: 8 } }, 1],
  ["the snooze is over", {}, { snooze: { from: 3, to: 5 } }, 0],
  ["a job keeps its server quiet", { jobs: [{ from: 4, to: 8, server: 1 }] }, {}, 1],
  ["a job keeps another server quiet", { jobs: [{ from: 4, to: 8, server: 0 }] }, {}, 0],
])("a firing that is told is judged by what its plan says: %s", (_title, cell, members, faults) => {
  expect(isQuiet(recordOf(played(members), 0, { ...plan, ...cell }))).toHaveLength(faults);
});

test("firings that go on from one another are one", () => {
  const parts = [
    { id: "f1", fired: 100, server: "s" },
    { id: "f2", fired: 600, server: "s", continues: "f1" },
    { id: "f3", fired: 700, server: "t" },
  ].map((each) => ({ alert: "a", ...each })) as unknown as Recorded["firings"];
  expect(livesOf({ firings: parts }).map((life) => life.map(({ id }) => id))).toEqual([["f1", "f2"], ["f3"]]);
});
