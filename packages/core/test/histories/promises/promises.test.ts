import { describe, expect, test } from "vitest";
import type { Decision, Notice, Problem } from "../../../src/desk/notices/model.ts";
import type { Firing, Promised, Recorded, RouteRules } from "../record.ts";
import { isDelivered } from "./delivered.ts";
import { isHandedOver } from "./duty.ts";
import { endsPromised, endsTold } from "./ends.ts";
import { isOnRecord } from "./reasons.ts";
import { additions, differences } from "./same.ts";
import { isBounded, isQuiet, isTold, isToldOnce } from "./told.ts";

const EVER = Number.POSITIVE_INFINITY;

const firing = (members: Partial<Firing> = {}): Recorded["firings"][number] => ({
  ...{ id: "f1", alert: "a", server: "s", fired: 100, ended: 500, severity: "warning" },
  ...{ maybeHeld: [], held: [], taken: [] },
  ...members,
});

const route = (members: Partial<RouteRules> = {}): RouteRules => ({
  ...{ id: "rt", group_wait: 15, group_interval: 60, repeat_interval: 300, clear: "all", match: [] },
  ...{ first: ["ops"], named: ["ops"], open: [{ from: 0, to: EVER }] },
  ...members,
});

const notice = (id: string, date: number, members: Partial<Notice> = {}): Notice =>
  ({
    ...{ id, date, problem: "pg", receiver: "ops", route: "rt", seq: 1, kind: "firing", new: [], repeated: [] },
    ...{ over: [], still: [], severity: "warning", outcome: "sent", attempts: 1, next: date, groups: [], text: "" },
    deliveries: [{ attempt: 1, node: "n", date, outcome: "sent", description: "" }],
    ...members,
  }) as Notice;
const firstNotice = notice("no1", 115, { new: ["f1"] });
const lastNotice = notice("no2", 515, { seq: 2, kind: "cleared", over: ["f1"] });

const decision = (from: number, to: number | null, members: Partial<Decision> = {}): Decision => ({
  ...{ id: `d${from}`, invocation: "f1", receiver: "ops", problem: "pg", verdict: "told", from, to },
  ...members,
});
const grouping = { verdict: "held", by: { kind: "grouping", id: "pg", title: "" } } as const;
const decisions = [decision(101, 115, grouping), decision(115, 515), decision(515, null)];

const member = { invocation: "f1", alert: "a", server: "s", severity: "warning", joined: 101, told: {}, standing: {} };
const problem: Problem = {
  ...{ id: "pg", route: "rt", key: "k", severity: "warning", opened: 101, closed: 575, members: [member] },
  ...{ sides: {}, steps: 1, due: null },
};

/** A record without faults: one firing, with a notice of it and of its end. */
const good = (members: Partial<Recorded> = {}): Recorded => ({
  ...{ firings: [firing()], routes: [route()], perHour: {}, duties: [], notices: [firstNotice, lastNotice] },
  ...{ watched: [], problems: [problem], decisions, attempts: [], noFallback: [], away: [], end: 2000 },
  ...members,
});

/** The person on duty changes while the firing is live. */
const duties = [{ receiver: "ops", at: 300 }];
const handed = (id: string, date: number): Notice =>
  notice(id, date, { kind: "escalation", hand_over: true, still: ["f1"] });
/** The route names other receivers from a time on. */
const changedAt = (at: number): RouteRules => route({ first: [], changed: { at, before: ["lead"], after: ["ops"] } });

type Case = readonly [title: string, promised: Promised, members: Partial<Recorded>];
const second = firing({ id: "f2", fired: 600, ended: 900 });
const fails = { verdict: "failed", by: { kind: "delivery", id: "", title: "" } } as const;

const KEPT: readonly Case[] = [
  ["reported in time", isTold, {}],
  ["held all the time", isTold, { notices: [], firings: [firing({ maybeHeld: [{ from: 0, to: 900 }] })] }],
  ["too short to be reported", isTold, { notices: [], firings: [firing({ ended: 150 })] }],
  [
    "reported late without a leader",
    isTold,
    { notices: [notice("no1", 400, { new: ["f1"] })], away: [{ from: 100, to: 380 }] },
  ],
  ["not reported outside of hours", isTold, { notices: [], routes: [route({ open: [{ from: 0, to: 90 }] })] }],
  [
    "not reported because there were too many",
    isTold,
    { perHour: { ops: 1 }, notices: [notice("no9", 90, { new: ["f9"] })] },
  ],
  [
    "reported in the digest",
    isTold,
    { notices: [notice("no1", 300, { new: ["f1"] })], routes: [route({ digests: [300] })] },
  ],
  ["of another severity than the route's", isTold, { notices: [], routes: [route({ match: ["critical"] })] }],
  ["news once", isToldOnce, {}],
  [
    "new again after a notice that was skipped",
    isToldOnce,
    { notices: [notice("no0", 105, { new: ["f1"], outcome: "skipped" }), firstNotice] },
  ],
  [
    "repeated at its time",
    isToldOnce,
    { notices: [firstNotice, notice("no3", 415, { kind: "repeat", repeated: ["f1"] })] },
  ],
  ["apart", isBounded, { notices: [firstNotice, notice("no3", 175, { kind: "update", new: ["f2"] })] }],
  ["close, as an escalation", isBounded, { notices: [firstNotice, notice("no3", 120, { kind: "escalation" })] }],
  ["reported after a silence", isQuiet, { firings: [firing({ held: [{ from: 0, to: 110 }] })] }],
  ["the end of a reported firing", endsTold, {}],
  [
    "the end under the name of a continuing firing",
    endsTold,
    {
      firings: [firing(), firing({ id: "f2", continues: "f1" })],
      notices: [firstNotice, notice("no2", 515, { over: ["f2"] })],
    },
  ],
  ["the end is reported", endsPromised, {}],
  ["no end where the route reports none", endsPromised, { notices: [firstNotice], routes: [route({ clear: "none" })] }],
  [
    "no end of an undelivered notice",
    endsPromised,
    { notices: [notice("no1", 115, { new: ["f1"], outcome: "failed" })] },
  ],
  [
    "no end with a reason on record",
    endsPromised,
    {
      notices: [firstNotice],
      decisions: [decision(515, null, { verdict: "none", by: { kind: "acknowledgement", id: "ann", title: "" } })],
    },
  ],
  [
    "no end while another is live",
    endsPromised,
    {
      notices: [firstNotice],
      firings: [firing(), firing({ id: "f2", ended: 1990 })],
      problems: [{ ...problem, members: [member, { ...member, invocation: "f2" }] }],
    },
  ],
  ["a decision at each time", isOnRecord, {}],
  [
    "no route, and this is on record",
    isOnRecord,
    {
      routes: [route({ match: ["info"] })],
      decisions: [
        decision(101, null, { receiver: null, verdict: "none", by: { kind: "no_route", id: "", title: "" } }),
      ],
    },
  ],
  ["reported to the receivers of a changed route", isTold, { routes: [changedAt(50)] }],
  ["not reported to receivers that the route names only later", isTold, { notices: [], routes: [changedAt(300)] }],
  [
    "on record for receivers that the route named before",
    isOnRecord,
    { routes: [changedAt(900)], decisions: decisions.map((each) => ({ ...each, receiver: "lead" })) },
  ],
  ["handed over once", isHandedOver, { duties, notices: [firstNotice, handed("no3", 305), lastNotice] }],
  ["over when the person changes", isHandedOver, { duties: [{ receiver: "ops", at: 510 }] }],
  [
    "acknowledged when the person changes",
    isHandedOver,
    { duties, firings: [firing({ taken: [{ from: 200, to: EVER }] })] },
  ],
  ["in order", isDelivered, {}],
  [
    "failed with a fallback",
    isDelivered,
    {
      notices: [
        notice("no1", 115, { new: ["f1"], outcome: "failed" }),
        notice("no1f", 116, { receiver: "lead", in_place_of: "no1" }),
      ],
    },
  ],
  [
    "failed without one, and this is on record",
    isDelivered,
    { notices: [notice("no1", 115, { new: ["f1"], outcome: "failed" })], noFallback: ["no1"] },
  ],
  [
    "skipped when all was over",
    isDelivered,
    { notices: [notice("no1", 115, { new: ["f1"], outcome: "skipped", deliveries: [] })] },
  ],
];

const BROKEN: readonly Case[] = [
  ["never told", isTold, { notices: [] }],
  ["told late", isTold, { notices: [notice("no1", 300, { new: ["f1"] })] }],
  [
    "reported late, although there was a leader again",
    isTold,
    { notices: [notice("no1", 400, { new: ["f1"] })], away: [{ from: 100, to: 200 }] },
  ],
  ["reported to another receiver", isTold, { notices: [notice("no1", 115, { new: ["f1"], receiver: "lead" })] }],
  ["missing in the digest", isTold, { notices: [], routes: [route({ digests: [300] })] }],
  ["free long enough after a hold", isTold, { notices: [], firings: [firing({ maybeHeld: [{ from: 0, to: 300 }] })] }],
  ["not reported again after its end was", isTold, { firings: [firing(), { ...second, continues: "f1" }] }],
  ["news twice", isToldOnce, { notices: [firstNotice, notice("no3", 200, { new: ["f1"] })] }],
  [
    "repeated too soon",
    isToldOnce,
    { notices: [200, 300].map((at) => notice(`no${at}`, at, { kind: "repeat", repeated: ["f1"] })) },
  ],
  [
    "repeated while it is acknowledged",
    isToldOnce,
    {
      notices: [notice("no3", 300, { kind: "repeat", repeated: ["f1"] })],
      firings: [firing({ taken: [{ from: 200, to: EVER }] })],
    },
  ],
  ["too close", isBounded, { notices: [firstNotice, notice("no3", 150, { kind: "update", new: ["f2"] })] }],
  ["reported in a silence", isQuiet, { firings: [firing({ held: [{ from: 50, to: 300 }] })] }],
  ["the end of an unreported firing", endsTold, { notices: [lastNotice] }],
  [
    "the end of an undelivered notice",
    endsTold,
    { notices: [notice("no1", 115, { new: ["f1"], outcome: "failed" }), lastNotice] },
  ],
  ["an end to the wrong receiver", endsTold, { notices: [{ ...firstNotice, receiver: "lead" }, lastNotice] }],
  ["the end twice", endsTold, { notices: [firstNotice, lastNotice, { ...lastNotice, id: "no3", date: 600 }] }],
  ["no end", endsPromised, { notices: [firstNotice] }],
  ["no decision", isOnRecord, { decisions: [] }],
  ["a gap", isOnRecord, { decisions: [decision(101, 115, grouping), decision(200, null)] }],
  ["an overlap", isOnRecord, { decisions: [decision(101, 300, grouping), decision(200, null)] }],
  ["a decision that is not the last", isOnRecord, { decisions: [decision(101, 115, grouping)] }],
  ["no route, and this is not on record", isOnRecord, { routes: [route({ match: ["info"] })], decisions: [] }],
  ["not reported to the receivers of a changed route", isTold, { notices: [], routes: [changedAt(50)] }],
  ["reported by a changed route to its former receivers", isTold, { routes: [changedAt(900)] }],
  ["on record for receivers that the changed route does not name", isOnRecord, { routes: [changedAt(900)] }],
  ["not handed over", isHandedOver, { duties }],
  ["handed over twice", isHandedOver, { duties, notices: [firstNotice, handed("no3", 305), handed("no4", 320)] }],
  ["handed over too soon", isHandedOver, { duties, notices: [firstNotice, handed("no3", 250)] }],
  ["a number is missing", isDelivered, { notices: [firstNotice, { ...lastNotice, seq: 3 }] }],
  ["a number comes twice", isDelivered, { notices: [firstNotice, { ...lastNotice, seq: 1 }] }],
  ["never tried", isDelivered, { notices: [notice("no1", 115, { outcome: "pending", attempts: 0, deliveries: [] })] }],
  ["sent without an attempt", isDelivered, { notices: [notice("no1", 115, { deliveries: [] })] }],
  [
    "skipped while it is live",
    isDelivered,
    {
      notices: [notice("no1", 115, { new: ["f1"], outcome: "skipped" })],
      firings: [firing({ ended: undefined as never })],
    },
  ],
  [
    "failed, and no one is notified in its place",
    isDelivered,
    { notices: [notice("no1", 115, { ...fails, outcome: "failed" } as never)] },
  ],
  [
    "overtaken",
    isDelivered,
    {
      notices: [
        { ...firstNotice, deliveries: [{ attempt: 1, node: "n", date: 600, outcome: "sent", description: "" }] },
        lastNotice,
      ],
    },
  ],
];

describe("the judges of histories", () => {
  test.each(KEPT)("accept: %s", (_title, promised, members) => {
    expect(promised(good(members))).toEqual([]);
  });

  test.each(BROKEN)("refuse: %s", (_title, promised, members) => {
    expect(promised(good(members))).not.toEqual([]);
  });

  test.each<[string, Partial<Recorded>, number]>([
    ["the same", {}, 0],
    ["a few seconds later", { notices: [{ ...firstNotice, date: 125 }, lastNotice] }, 0],
    [
      "under other ids",
      {
        firings: [firing({ id: "x" })],
        notices: [
          { ...firstNotice, new: ["x"] },
          { ...lastNotice, over: ["x"] },
        ],
      },
      0,
    ],
    ["one less", { notices: [firstNotice] }, 1],
    ["one more", { notices: [firstNotice, lastNotice, { ...lastNotice, id: "no3", date: 700 }] }, 1],
    ["another kind", { notices: [{ ...firstNotice, kind: "update" }, lastNotice] }, 1],
    ["much later", { notices: [{ ...firstNotice, date: 200 }, lastNotice] }, 1],
  ])("compare a history whose nodes came and went: %s", (_title, members, count) => {
    expect(differences(good(), good(members))).toHaveLength(count);
  });

  test.each<[string, Partial<Recorded>, Partial<Recorded>, number]>([
    ["the same", {}, {}, 0],
    ["less", {}, { notices: [] }, 0],
    ["a notice that only comes with the silence", { notices: [] }, {}, 1],
    ["a notice that would only have been late", { notices: [], firings: [firing({ ended: 160 })] }, {}, 0],
  ])("compare a history with one more silence: %s", (_title, plain, silenced, count) => {
    expect(additions(good(plain), good(silenced), { from: 0, to: 400 })).toHaveLength(count);
  });
});
