import { expect, test } from "vitest";
import { type HoldableRun, holdsOver, type PastAround, type QuietTime } from "./holds.ts";
import { addMinute, type Stretch } from "./stretches.ts";

type Members = Partial<HoldableRun> & Partial<HoldableRun["standing"]>;
/** An alert on a server, live from one minute to another. */
function run(id: string, from: number, to: number | undefined, members: Members = {}): HoldableRun {
  const {
    alert = "hot",
    server = "web",
    severity = "warning",
    family,
    inhibits = [],
    outage = false,
    ...rest
  } = members;
  return {
    standing: {
      ...{ invocation: id, alert, server, place: server, title: alert, severity, family, inhibits, outage },
      date: from * 60,
    },
    ...{ fired: from * 60, ...(to === undefined ? {} : { to: to * 60 }), noticeAfter: 0, quiet: [], ...rest },
  };
}
const quiet = (kind: "silence" | "acknowledgement", from: number, to?: number): QuietTime => ({
  ...{ from: from * 60, ...(to === undefined ? {} : { to: to * 60 }), by: { kind, id: kind, title: kind } },
});
function minutes(...all: (readonly [number, number])[]): Stretch[] {
  const found: Stretch[] = [];
  for (const [from, to] of all) for (let minute = from; minute <= to; minute++) addMinute(found, minute * 60);
  return found;
}

const ALWAYS = minutes([0, 99]);
interface Around {
  /** Alerts that the alert of the firing depends on. */
  readonly parents?: readonly string[];
  /** Servers that the server of the firing depends on. */
  readonly above?: readonly string[];
  readonly warmups?: ReturnType<PastAround["warmupsOn"]>;
  /** Minutes that came from the upstream server. */
  readonly seen?: readonly Stretch[];
}
const aroundOf = (runs: readonly HoldableRun[], { parents = [], above = [], warmups = [], seen = ALWAYS }: Around) => ({
  runsOn: (place: string) => runs.filter(({ standing }) => standing.server === place),
  warmupsOn: (place: string) => (place === "router" ? warmups : []),
  parentsOf: (alert: string) => new Set(alert === "hot" ? parents : []),
  above: (place: string) => new Set(place === "web" ? above : []),
  seenOn: (place: string) => (place === "router" ? seen : undefined),
  secondOf: (place: string, minute: number) => (place === "router" && minute === 50 * 60 ? 30 : 0),
  parentWait: 120,
});
const UNTIL = 90 * 60;
/** Holds as text: "10-12 silence+job", in minutes. */
const lines = (runs: readonly HoldableRun[], around: Around): string[] =>
  holdsOver(runs[0] as HoldableRun, UNTIL, aroundOf(runs, around)).map(({ from, to, hold, also }) =>
    [`${from / 60}-${to === undefined ? "" : to / 60}`, [hold, ...also].map(({ kind }) => kind).join("+")].join(" "),
  );

const above = { above: ["router"] };
const down = (from: number, to: number | undefined, members: Members = {}): HoldableRun =>
  run("down", from, to, { alert: "down", server: "router", outage: true, ...members });

test.each<[string, readonly HoldableRun[], Around, readonly string[]]>([
  ["nothing", [run("a", 10, 20)], {}, []],
  ["its age", [run("a", 10, 30, { noticeAfter: 300 })], {}, ["10-15 delay"]],
  [
    "a silence that begins before and ends while it is live",
    [run("a", 10, 30, { quiet: [quiet("silence", 5, 20)] })],
    {},
    ["10-20 silence"],
  ],
  [
    "a silence that comes again",
    [run("a", 10, 60, { quiet: [quiet("silence", 5, 20), quiet("silence", 40, 50)] })],
    {},
    ["10-20 silence", "40-50 silence"],
  ],
  [
    "several, each with its own time",
    [run("a", 10, 60, { noticeAfter: 600, quiet: [quiet("acknowledgement", 15), quiet("silence", 12, 30)] })],
    {},
    [
      "10-12 delay",
      "12-15 delay+silence",
      "15-20 delay+acknowledgement+silence",
      "20-30 acknowledgement+silence",
      "30- acknowledgement",
    ],
  ],
  [
    "a parent on the same server",
    [run("a", 10, 60), run("b", 8, 30, { alert: "up" })],
    { parents: ["up"] },
    ["10-30 dependency"],
  ],
  [
    "a parent that fires later",
    [run("a", 10, 60), run("b", 20, 30, { alert: "up" })],
    { parents: ["up"] },
    ["20-30 dependency"],
  ],
  [
    "a parent on another server that it does not depend on",
    [run("a", 10, 60), run("b", 8, 30, { alert: "up", server: "db" })],
    { parents: ["up"] },
    [],
  ],
  ["an outage above", [run("a", 10, 60), down(10, 20)], above, ["10-20 dependency"]],
  [
    "an outage that is silenced itself",
    [run("a", 10, 60), down(10, 20, { quiet: [quiet("silence", 0)] })],
    above,
    ["10-20 dependency"],
  ],
  ["an outage above that is over", [run("a", 10, 60), down(5, 9)], above, []],
  ["an outage above without data", [run("a", 10, 60), down(5, 9, { silentTo: 15 * 60 })], above, ["10-15 dependency"]],
  [
    "a server above that was not evaluated, for two minutes at most",
    [run("a", 10, 60)],
    { ...above, seen: minutes([0, 9], [30, 40]) },
    ["10-12 dependency"],
  ],
  [
    "a server above that comes late",
    [run("a", 10, 60)],
    { ...above, seen: minutes([0, 9], [11, 40]) },
    ["10-11 dependency"],
  ],
  [
    "an outage above that fires some seconds later in the same minute",
    [run("a", 50, 60), down(50.5, 55)],
    above,
    ["50-50.5 dependency", "50.5-55 dependency"],
  ],
  [
    "an outage above that warms up",
    [run("a", 10, 60), down(12, 20)],
    { ...above, warmups: [{ alert: "down", from: 600, to: 660 }] },
    ["10-12 dependency", "12-20 dependency"],
  ],
  [
    "a worse one of its family",
    [run("a", 10, 60, { family: "disk" }), run("b", 12, 20, { alert: "full", family: "disk", severity: "critical" })],
    {},
    ["12-20 inhibition"],
  ],
  [
    "a milder one of its family",
    [run("a", 10, 60, { family: "disk" }), run("b", 12, 20, { alert: "full", family: "disk", severity: "info" })],
    {},
    [],
  ],
  [
    "one that names it",
    [run("a", 10, 60), run("b", 12, 20, { alert: "full", inhibits: ["hot"] })],
    {},
    ["12-20 inhibition"],
  ],
  [
    "one that names it and is silenced for a while",
    [run("a", 10, 60), run("b", 12, 40, { alert: "full", inhibits: ["hot"], quiet: [quiet("silence", 20, 30)] })],
    {},
    ["12-20 inhibition", "30-40 inhibition"],
  ],
  [
    "one that names it and is too young",
    [run("a", 10, 60), run("b", 12, 40, { alert: "full", inhibits: ["hot"], noticeAfter: 300 })],
    {},
    ["17-40 inhibition"],
  ],
  [
    "one that it names as well, and that is younger",
    [run("a", 10, 60, { inhibits: ["full"] }), run("b", 12, 40, { alert: "full", inhibits: ["hot"] })],
    {},
    [],
  ],
])("%s", (_name, runs, around, expected) => {
  expect(lines(runs, around)).toEqual(expected);
});
