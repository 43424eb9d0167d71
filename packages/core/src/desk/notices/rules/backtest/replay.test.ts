import { expect, test } from "vitest";
import type { NoticeHold, Route } from "../../model.ts";
import { newRoute } from "../records/records.ts";
import { waitOf } from "../routing/match.ts";
import { type PastFiring, type PastRules, type Replayed, replay } from "./replay.ts";

const HOUR = 3600;
const silence: NoticeHold = { kind: "silence", id: "q1", title: "Works" };
const steps = [{ after: 0, to: ["ops"] }];
const route = (members: Partial<Route> = {}): Route =>
  newRoute({ title: "R", steps, ...members } as never, { id: "rt1", username: "ann", now: 0 }, 0);

/** One alert on one server. */
const firing = (invocation: string, from: number, to?: number, more: Partial<PastFiring> = {}): PastFiring => ({
  ...{ invocation, from, to, holds: [], flapRule: { count: 4, window: 3 * HOUR } },
  firing: {
    ...{ severity: "warning", subject: "server", alert: "hot", tags: [], groups: [], category: "" },
    ...{ server: invocation, place: invocation },
  },
  ...more,
});
const on = (place: string, each: PastFiring): PastFiring => ({
  ...each,
  firing: { ...each.firing, server: place, place },
});

function run(
  firings: readonly PastFiring[],
  routes: readonly Route[],
  more: Partial<PastRules> = {},
  most = 1000,
): Replayed {
  const rules: PastRules = {
    ...{ until: 48 * HOUR, routes, isOpen: () => true, isDigestDue: () => false, hasHours: false },
    waitOf: (each) => waitOf(each, 2),
    ...{ unreachable: () => undefined, keepsState: () => false, onDuty: () => undefined, perHour: () => 0 },
    ...more,
  };
  const steps = replay(firings, rules, { notices: most, looks: 1e6 });
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}
const lines = ({ notices }: Replayed): string[] =>
  notices.map(({ date, kind, receiver, new: fresh, repeated, over }) =>
    [
      `${date} ${receiver} ${kind}`,
      ...[...fresh.map((id) => `+${id}`), ...repeated.map((id) => `*${id}`), ...over.map((id) => `-${id}`)],
    ].join(" "),
  );

const three = ["a", "b", "c"].map((id, at) => firing(id, 100 + at * 20, 1000));
test.each<[string, readonly PastFiring[], readonly Route[], Partial<PastRules>, string[]]>([
  [
    "three within a minute are one notice and one that clears them",
    three,
    [route()],
    {},
    ["170 ops firing +a +b +c", "1070 ops cleared -a -b -c"],
  ],
  [
    "firings that no route matches are reported to no one",
    three,
    [route({ match: { severities: ["critical"] } })],
    {},
    [],
  ],
  ["a firing that ended before its notice is reported to no one", [firing("a", 100, 120)], [route()], {}, []],
  [
    "a held firing is reported when the hold ends",
    [firing("a", 100, 2000, { holds: [{ from: 50, to: 900, hold: silence }] })],
    [route({ group_wait: 0 })],
    {},
    ["900 ops firing +a", "2000 ops cleared -a"],
  ],
  [
    "a firing that outlives its parent is reported two minutes later",
    [firing("a", 100, 2000, { holds: [{ from: 100, to: 900, hold: { kind: "dependency", id: "up", title: "Up" } }] })],
    [route({ group_wait: 0 })],
    {},
    ["1020 ops firing +a", "2000 ops cleared -a"],
  ],
  [
    "an end for lack of data is reported once some minutes confirm it",
    [firing("a", 100, 500, { question: { returned: 900, answered: 1020, lost: 90_000 } })],
    [route({ group_wait: 0 })],
    {},
    ["100 ops firing +a", "1020 ops cleared -a"],
  ],
  [
    "an end for lack of data is not reported when the alert fires again",
    [
      on("s1", firing("a", 100, 500, { question: { returned: 900, answered: 1020, lost: 90_000 } })),
      on("s1", firing("b", 960, 2000)),
    ],
    [route({ group_wait: 0 })],
    {},
    ["100 ops firing +a", "2000 ops cleared -b"],
  ],
  [
    "the end is not reported when no data return",
    [firing("a", 100, 500, { question: { lost: 90_000 } })],
    [route({ group_wait: 0, repeat_interval: 0 })],
    {},
    ["100 ops firing +a"],
  ],
  [
    "firings go to the next step unless they are acknowledged",
    [
      firing("a", 0, 2000),
      firing("b", 10_000, 12_000, {
        holds: [{ from: 10_060, hold: { kind: "acknowledgement", id: "ann", title: "" } }],
        endsUntold: { kind: "acknowledgement", id: "ann", title: "" },
      }),
    ],
    [route({ group_wait: 0, steps: [...steps, { after: 15, to: ["lead"] }] })],
    {},
    [
      "0 ops firing +a",
      "900 lead escalation +a",
      "2000 ops cleared -a",
      "2000 lead cleared -a",
      "10000 ops firing +b",
      "10060 ops acknowledged",
    ],
  ],
  [
    "the fourth within three hours is reported as flapping, and the next are a part of it",
    Array.from({ length: 8 }, (_each, at) => on("s1", firing(`i${at}`, at * 1200, at * 1200 + 300))),
    [route({ group_wait: 0, repeat_interval: 0 })],
    {},
    [
      ...["0 ops firing +i0", "300 ops cleared -i0", "1200 ops firing +i1", "1500 ops cleared -i1"],
      ...[
        "2400 ops firing +i2",
        "2700 ops cleared -i2",
        "3600 ops flapping +i3",
        `${7 * 1200 + 300 + HOUR} ops cleared -i3`,
      ],
    ],
  ],
  [
    "more than fit into an hour wait for room",
    [firing("a", 0, 9000), firing("b", 600, 9000)],
    [route({ group_by: ["subject"], group_wait: 0 })],
    { perHour: () => 1 },
    ["0 ops firing +a", "3600 ops firing +b", "9000 ops cleared -a", "9000 ops cleared -b"],
  ],
  [
    "hours delay a firing until they open",
    [firing("a", 100, 3 * HOUR)],
    [route({ group_wait: 0, outside: "hold" })],
    { hasHours: true, isOpen: (_route, at) => at >= HOUR },
    [`${HOUR} ops firing +a`, `${3 * HOUR} ops cleared -a`],
  ],
  [
    "a route outside of its hours reports what still fires when it opens",
    [firing("a", 100, 3 * HOUR), firing("b", 100, 200)],
    [route({ group_wait: 0 })],
    { hasHours: true, isOpen: (_route, at) => at >= HOUR },
    [`${HOUR} ops firing +a`, `${3 * HOUR} ops cleared -a`],
  ],
  [
    "a digest is sent at its time",
    [firing("a", 100, 3 * HOUR), firing("b", 100, 200)],
    [route({ digest: { at: ["02:00"] } })],
    { hasHours: true, isDigestDue: (_digest, since, at) => since < 2 * HOUR && at >= 2 * HOUR },
    [`${2 * HOUR} ops digest +a`],
  ],
])("%s", (_what, firings, routes, more, expected) => {
  expect(lines(run(firings, routes, more))).toEqual(expected);
});

test("holds of a firing are listed, and a part of a flapping as such", () => {
  const held = firing("a", 100, 2000, { holds: [{ from: 50, to: 900, hold: silence }] });
  const often = Array.from({ length: 5 }, (_each, at) => on("s1", firing(`i${at}`, at * 1200, at * 1200 + 300)));
  const { heldBy } = run([held, ...often], [route({ group_wait: 70 })]);
  expect([...(heldBy.get("a") ?? [])].toSorted()).toEqual(["grouping", "silence"]);
  expect([...(heldBy.get("i4") ?? [])]).toEqual(["flapping"]);
});

test("a crowd of servers is one problem, as in live operation", () => {
  const crowd = Array.from({ length: 1200 }, (_each, at) => firing(`i${at}`, 100, 1000));
  expect(run(crowd, [route()]).notices.map(({ date, kind }) => [date, kind])).toEqual([
    [170, "firing"],
    [1070, "cleared"],
  ]);
});

test("a replay ends at the bound for the number of notices", () => {
  const { notices, truncated } = run(three, [route({ group_by: ["subject"], group_wait: 0 })], {}, 4);
  expect([notices.length, truncated]).toEqual([4, true]);
  expect(run(three, [route()], {}, 2)).toMatchObject({ truncated: false });
});

test("the same history gives the same notices, and each firing is new once and over once", () => {
  const many = Array.from({ length: 200 }, (_each, at) => on(`s${at % 40}`, firing(`i${at}`, at * 97, at * 97 + 1500)));
  const first = run(many, [route()]);
  expect(run(many, [route()])).toEqual(first);
  const news = first.notices.flatMap((notice) => notice.new);
  expect(new Set(news).size).toBe(news.length);
  expect(first.notices.flatMap(({ over }) => over).toSorted()).toEqual(news.toSorted());
  expect(first.notices.length).toBeLessThan(100);
});

const lasting = firing("a", 100);
const second = (members: Partial<Route> = {}): Route => ({ ...route(members), id: "rt2", sort_order: 1 });

test("a receiver that two routes name is notified of a firing once, as in live operation", () => {
  const routes = [route({ continue: true, group_wait: 0, repeat_interval: 0 }), second({ repeat_interval: 0 })];
  expect(lines(run([lasting], routes))).toEqual(["100 ops firing +a"]);
  const ended = { ...lasting, to: 1000 };
  expect(lines(run([ended], routes))).toEqual(["100 ops firing +a", "1000 ops cleared -a"]);
});

test("all receivers together get no more notices within an hour than in live operation", () => {
  const two = [firing("a", 100), firing("b", 200)];
  const each = route({ group_by: ["subject"], group_wait: 0, repeat_interval: 0 });
  expect(lines(run(two, [each], { perHourOfAll: 1 }))).toEqual(["100 ops firing +a", "3700 ops firing +b"]);
});

test("of several holds the last one is named last", () => {
  const holds = [
    { from: 100, to: 200, hold: silence },
    { from: 200, to: 300, hold: { ...silence, kind: "job" as const, id: "j1" } },
    { from: 300, to: 400, hold: silence },
  ];
  const { heldBy } = run([firing("a", 100, 400, { holds })], [route()]);
  expect([...(heldBy.get("a") ?? [])].at(-1)).toBe("silence");
});
