import { expect, test } from "vitest";
import {
  delayOf,
  dependencyOf,
  inhibitorsOf,
  isUnseen,
  needsSettling,
  type Standing,
  type Surroundings,
} from "./holds.ts";

const firing = (members: Partial<Standing> = {}): Standing => ({
  ...{
    invocation: "i5",
    alert: "slow",
    server: "web",
    place: "web",
    title: "Slow",
    severity: "warning",
    family: undefined,
  },
  ...{ inhibits: [], outage: false, date: 1000, ...members },
});
const around = (members: Partial<Surroundings> = {}): Surroundings => ({
  ...{ firing: firing(), fired: 1000, now: 1010, noticeAfter: 0, parents: new Set(), upstream: new Set(), live: [] },
  ...{ silent: [], isParentPending: false, parentWait: 120, ...members },
});
const other = (members: Partial<Standing>): Standing => firing({ invocation: "i1", alert: "down", ...members });

test.each([
  [0, 1000, false],
  [300, 1299, true],
  [300, 1300, false],
  // The clock was set back after it fired.
  [0, 900, false],
  [300, 900, false],
  // It fired on a node whose clock is slightly ahead.
  [300, 998, true],
])("with notice_after %d at %d it is held: %s", (noticeAfter, now, isHeld) => {
  expect(delayOf(around({ noticeAfter, now }))?.kind).toBe(isHeld ? "delay" : undefined);
});

const upstream = new Set(["router"]);
const parents = new Set(["down"]);
test.each<[string, Partial<Surroundings>, boolean]>([
  ["nothing else is live", { parents, upstream }, false],
  ["a parent on the same server", { parents, live: [other({})] }, true],
  ["a parent on a server that it depends on", { parents, upstream, live: [other({ server: "router" })] }, true],
  ["a parent elsewhere", { parents, upstream, live: [other({ server: "db" })] }, false],
  ["an outage of a server that it depends on", { upstream, live: [other({ server: "router", outage: true })] }, true],
  ["a parent that fell silent", { parents, upstream, silent: [other({ server: "router" })] }, true],
  ["another alert there that fell silent", { upstream, silent: [other({ server: "router" })] }, false],
  ["an outage of its own server", { live: [other({ outage: true })] }, false],
  ["another alert on a server that it depends on", { upstream, live: [other({ server: "router" })] }, false],
  ["a parent that was not evaluated yet", { isParentPending: true }, true],
  ["a parent that was not evaluated since, by a clock a little behind", { isParentPending: true, now: 998 }, true],
  ["a parent that was not evaluated since a clock was set back", { isParentPending: true, now: 900 }, false],
  ["a parent that is not evaluated for two minutes", { isParentPending: true, now: 1120 }, false],
])("dependency: %s", (_name, members, isHeld) => {
  expect(dependencyOf(around(members))?.kind).toBe(isHeld ? "dependency" : undefined);
});

test.each([
  [undefined, 1000, true],
  [999, 1000, true],
  [1000, 1010, false],
  [1005, 1095, false],
  [1005, 1096, true],
])("a server whose last minute is %s has not been seen at %d since 1000: %s", (last, now, expected) => {
  expect(isUnseen(last, { since: 1000, now })).toBe(expected);
});

const grade = { family: "disk" };
test.each<[string, Partial<Standing>, Partial<Standing>, boolean]>([
  ["a worse one of the family", grade, { ...grade, severity: "critical" }, true],
  ["an equal one of the family", grade, grade, false],
  ["a milder one of the family", grade, { ...grade, severity: "info" }, false],
  ["a worse one without a family", {}, { severity: "critical" }, false],
  ["a worse one of the family on another server", grade, { ...grade, severity: "critical", server: "db" }, false],
  ["one that names it", {}, { inhibits: ["slow"] }, true],
  ["an older one, both naming each other", { inhibits: ["down"] }, { inhibits: ["slow"], date: 900 }, true],
  ["a younger one, both naming each other", { inhibits: ["down"] }, { inhibits: ["slow"], date: 1001 }, false],
  ["one of the same second with a lower id", { inhibits: ["down"] }, { inhibits: ["slow"] }, true],
])("inhibition: %s", (_name, own, members, isHeld) => {
  expect(inhibitorsOf(around({ firing: firing(own), live: [firing(own), other(members)] }))).toHaveLength(
    isHeld ? 1 : 0,
  );
});

test.each([
  ["job", "j1", true],
  ["dependency", "i1", true],
  ["dependency", "", false],
  ["silence", "q1", false],
  ["inhibition", "i1", false],
] as const)("after %s %s an alert has time to end: %s", (kind, id, expected) => {
  expect(needsSettling({ kind, id, title: "" })).toBe(expected);
});
