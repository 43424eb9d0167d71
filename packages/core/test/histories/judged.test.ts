import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { recordOf } from "./judged.ts";
import { BEGIN, named } from "./names.ts";
import { type AlertPlan, type Cell, cells, WATCHED, type WatchedPlan } from "./plan.ts";
import { isNoticed } from "./promises/noticed.ts";
import { isQuiet, isTold } from "./promises/told.ts";
import { livesOf, type Recorded } from "./record.ts";
import type { Played } from "./world.ts";

const [any] = fc.sample(cells, { seed: 1, numRuns: 1 }) as [Cell];
const plan: Cell = { ...any, isChained: false, silences: [], acks: [], jobs: [] };
const at = (minute: number): number => BEGIN + minute * 60;

/** A route that passes on everything at once, and one receiver. */
const ALWAYS = {
  ...{ group_wait: 15, group_interval: 90, open: undefined, digest: undefined, severities: [], change: undefined },
  steps: [{ after: 0, to: [0] }],
};

/** One firing from minute 2 to 12, with a notice in minute 6. */
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
  ["nothing holds it back", {}, {}, 0],
  ["all alerts are snoozed", {}, { snooze: { from: 4, to: 8 } }, 1],
  ["the snooze is over", {}, { snooze: { from: 3, to: 5 } }, 0],
  ["a job silences its own server", { jobs: [{ from: 4, to: 8, server: 1 }] }, {}, 1],
  ["a job silences another server", { jobs: [{ from: 4, to: 8, server: 0 }] }, {}, 0],
])("a reported firing is judged by its plan: %s", (_title, cell, members, faults) => {
  expect(isQuiet(recordOf(played(members), 0, { ...plan, ...cell }))).toHaveLength(faults);
});

describe.each(WATCHED)("a %s of a history", (kind) => {
  const [first] = plan.alerts as [AlertPlan];
  const calm = { ...first, samples: 1, notice_after: 0, isFamily: false, isChild: false };
  const bad: WatchedPlan = { kind, alert: calm, states: ["well", ...Array<"bad">(9).fill("bad")] };
  const own = { ...plan, watched: [bad] };
  const subject = kind === "presence" ? {} : { subject: { type: kind, id: named(0, "w", 0), title: "" } };
  const server = kind === "presence" ? named(0, "s", 1) : "";
  const invocations = (from: number) =>
    [{ id: "f1", alert: named(0, "w", 0), server, ...subject, date: from, active: false, modified: at(12) }] as never;
  const met = (from: number, members: Partial<Played> = {}): Played => {
    const { rows, ...rest } = played(members);
    return { ...rest, rows: { ...rows, invocations: invocations(from) } };
  };

  test("is judged by its plan", () => {
    expect(isNoticed(recordOf(met(at(3)), 0, own))).toEqual([]);
    expect(isNoticed(recordOf(played(), 0, own))).toHaveLength(1);
    expect(isNoticed(recordOf(met(at(1)), 0, own))).toHaveLength(1);
  });

  test("must be reported, but not while all alerts are snoozed", () => {
    const faults = (members: Partial<Played>, cell: Cell = own): number =>
      isQuiet(recordOf(met(at(3), members), 0, cell)).length;
    expect([faults({}), faults({ snooze: { from: 4, to: 8 } })]).toEqual([0, 1]);
    // Silences name servers.
    const silence = { from: 4, to: 8, alert: undefined, server: undefined, isDeleted: false };
    expect(faults({}, { ...own, silences: [silence] })).toBe(kind === "presence" ? 1 : 0);
    const silent = met(at(3));
    const to = plan.receivers.map((each) => ({ ...each, isEnabled: true, max_per_hour: 0 }));
    const always = { ...(plan.routes[0] as Cell["routes"][number]), ...ALWAYS };
    const recorded = recordOf(silent, 0, { ...own, receivers: to, routes: [always] });
    expect(isTold({ ...recorded, notices: [] })).toHaveLength(1);
  });
});

test("a firing and its continuations are one", () => {
  const parts = [
    { id: "f1", fired: 100, server: "s" },
    { id: "f2", fired: 600, server: "s", continues: "f1" },
    { id: "f3", fired: 700, server: "t" },
  ].map((each) => ({ alert: "a", ...each })) as unknown as Recorded["firings"];
  expect(livesOf({ firings: parts }).map((life) => life.map(({ id }) => id))).toEqual([["f1", "f2"], ["f3"]]);
});
