import { expect, test } from "vitest";
import type { NoticeHold, Standpoint } from "../../model.ts";
import { sentenceOf, type Telling } from "./sentences.ts";

const telling = (members: Partial<Telling> = {}): Telling => ({
  ...{ receiver: "ops mail", count: 1, attempts: 1, result: "", isPending: false, clock: (seconds) => `14:${seconds}` },
  ...members,
});
const hold = (kind: NoticeHold["kind"], members: Partial<NoticeHold> = {}): NoticeHold => ({
  kind,
  id: "x",
  title: "T",
  ...members,
});

test.each<[Standpoint["verdict"], NoticeHold | undefined, Partial<Telling>, string]>([
  ["told", undefined, {}, "Told to ops mail at 14:03."],
  ["told", undefined, { count: 2 }, "Told to ops mail at 14:03 in one notice with 1 other."],
  [
    "told",
    undefined,
    { count: 30, attempts: 3 },
    "Told to ops mail at 14:03 in one notice with 29 others after 3 attempts.",
  ],
  ["told", undefined, { isPending: true }, "On its way to ops mail since 14:03."],
  ["failed", hold("delivery"), { result: "HTTP 404" }, "Not delivered to ops mail: HTTP 404."],
  ["held", hold("grouping", { until: 20 }), {}, "Waits for others like it until 14:20, then ops mail is told."],
  [
    "held",
    hold("delay", { title: "it is told when it has lasted 300 seconds" }),
    {},
    "Not told yet: it is told when it has lasted 300 seconds.",
  ],
  ["held", hold("dependency"), {}, "Held because T is firing, and this depends on it."],
  ["held", hold("dependency", { id: "", title: "it waits" }), {}, "Held: it waits."],
  ["held", hold("silence"), {}, 'Not told: silence "T"; it will be told then if it is still firing.'],
  ["held", hold("acknowledgement"), {}, 'Not told: x acknowledged it: "T".'],
  [
    "held",
    hold("rate", { until: 41 }),
    {},
    "Waits: ops mail has had its notices of the last hour; no room until 14:41.",
  ],
  ["held", hold("hours"), {}, 'Waits for the hours of route "T".'],
  ["none", hold("no_route"), {}, "Nobody is told: no route matches it."],
  [
    "none",
    hold("brief", { title: "grouping" }),
    {},
    "Ended before ops mail was told (grouping), so no all-clear is sent.",
  ],
  ["none", hold("clear_none"), {}, "Its end is not told to ops mail: the route tells of no ends."],
])("%s %j", (verdict, by, members, sentence) => {
  expect(
    sentenceOf(
      { verdict, ...(by ? { by } : {}), from: 3 },
      telling({ clock: (s) => `14:${String(s).padStart(2, "0")}`, ...members }),
    ),
  ).toBe(sentence);
});
