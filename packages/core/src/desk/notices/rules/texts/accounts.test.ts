import { expect, test } from "vitest";
import { type Account, sentenceOf } from "./accounts.ts";
import { span, timesIn } from "./words.ts";

const day = Date.UTC(2026, 10, 25) / 1000;
/** Unix seconds of a time on that day, a Wednesday. */
const at = (text: string): number => {
  const [hours = 0, minutes = 0, seconds = 0] = text.split(":").map(Number);
  return day + hours * 3600 + minutes * 60 + seconds;
};
const clock = timesIn("UTC", at("14:30"));
const [ops, chat, hook] = ["ops mail", "ops chat", "ops hook"];
const alone = { others: 0, noun: "server", attempts: 1, faults: [] };

/** The twenty sentences of the contract in its order, then others. */
test.each<[string, Account]>([
  [
    "Told to ops mail at 14:03 in one notice with 29 other servers.",
    { kind: "told", ...alone, receiver: ops, at: at("14:03"), others: 29 },
  ],
  [
    "Waits for others like it until 14:03:20, then ops mail is told.",
    { kind: "grouping", receiver: ops, until: at("14:03:20") },
  ],
  ["It fired 4 minutes ago and is told when it has lasted 15 minutes.", { kind: "delay", ago: 240, lasts: 900 }],
  [
    "It fired 6 times in 3 hours, so it was told once as flapping at 13:20; it counts as settled after 1 hour without a change.",
    { kind: "flapping", count: 6, within: 10_800, at: at("13:20"), quiet: 3600 },
  ],
  [
    "Held because X on router1 is firing since 13:58, and web3 depends on router1.",
    { kind: "dependency", title: "X", on: "router1", since: at("13:58"), place: "web3" },
  ],
  [
    "Held for up to 120 seconds until router1 has been looked at in this minute.",
    { kind: "parent", on: "router1", wait: 120 },
  ],
  [
    "X on router1 ended at 14:20; this one is told at 14:22 if it is still firing then.",
    { kind: "settling", title: "X", on: "router1", ended: at("14:20"), at: at("14:22") },
  ],
  [
    'Not told: silence "New disks" until 16:00, made by mia; it will be told then if it is still firing.',
    { kind: "silence", title: "New disks", until: at("16:00"), by: "mia" },
  ],
  [
    'Not told again: tom acknowledged it at 14:05 from the link in ops mail: "restarting".',
    { kind: "acknowledgement", who: "tom", at: at("14:05"), link: ops, comment: "restarting", isTold: true },
  ],
  [
    "Not told: job j123 (Patch night) keeps db1 quiet while it runs.",
    { kind: "job", id: "j123", title: "Patch night", place: "db1" },
  ],
  [
    'Not told: "Disk Full (critical)" is firing on db1 and says more.',
    { kind: "inhibition", title: "Disk Full (critical)", place: "db1" },
  ],
  [
    "Nobody is told: no route matches warning alerts with the tag batch.",
    { kind: "noRoute", severity: "warning", tags: ["batch"] },
  ],
  [
    'Waits for the hours of route "Office": opens Monday 08:00; a digest then lists it if it is still firing.',
    { kind: "hours", route: "Office", opens: at("08:00") + 5 * 86_400 },
  ],
  [
    "Waits: ops chat has had 30 notices in the last hour; room again at 14:41.",
    { kind: "rate", receiver: chat, most: 30, until: at("14:41") },
  ],
  [
    "Told to ops chat at 14:04 after 3 attempts (HTTP 503 twice).",
    { kind: "told", ...alone, receiver: chat, at: at("14:04"), attempts: 3, faults: ["HTTP 503", "HTTP 503"] },
  ],
  [
    "Not delivered to ops chat: HTTP 404 channel_not_found; administrators were told in its place at 14:04.",
    {
      kind: "failed",
      receiver: chat,
      result: "HTTP 404 channel_not_found",
      instead: { receiver: "administrators", at: at("14:04"), isMany: true },
    },
  ],
  [
    "May have been told twice: ops hook took the request at 14:04 and did not answer.",
    { kind: "uncertain", receiver: hook, at: at("14:04") },
  ],
  [
    "Told again at 18:03, as every 4 hours; next at 22:03.",
    { kind: "repeated", receiver: ops, at: at("18:03"), every: 14_400, next: at("22:03") },
  ],
  [
    "Nobody acknowledged within 15 minutes, so lead was told at 14:18; the rota had nobody on duty.",
    { kind: "escalated", receiver: "lead", at: at("14:18"), after: 900, isRotaEmpty: true },
  ],
  [
    "Ended at 14:02 before anybody was told (grouping), so no all-clear is sent.",
    { kind: "brief", receiver: "", at: at("14:02"), why: "grouping" },
  ],
  [
    "Told to ops mail at 14:03 on 24 Nov in one notice with 1 other firing.",
    { kind: "told", ...alone, receiver: ops, at: at("14:03") - 86_400, others: 1, noun: "firing" },
  ],
  [
    "Held because X on web3 is firing, and this alert depends on it.",
    { kind: "dependency", title: "X", on: "web3", since: undefined, place: "web3" },
  ],
  [
    "Not told: mia acknowledged it.",
    { kind: "acknowledgement", who: "mia", at: undefined, link: "", comment: "", isTold: false },
  ],
  ["Not delivered to ops hook: no answer.", { kind: "failed", receiver: hook, result: "", instead: undefined }],
  ["It is over; ops mail is told of it later.", { kind: "endWaits", receiver: ops, until: undefined }],
  ["Not told to ops mail, which is told of ends alone.", { kind: "endsAlone", receiver: ops }],
  ["Not told to ops chat: no route that the firing took names it.", { kind: "leftOut", receiver: chat }],
  ["Nobody is told: no route matches info alerts.", { kind: "noRoute", severity: "info", tags: [] }],
])("%s", (sentence, account) => {
  expect(sentenceOf(account, clock)).toBe(sentence);
});

test.each([
  [1, "1 second"],
  [90, "90 seconds"],
  [200, "3 minutes"],
  [900, "15 minutes"],
  [5400, "90 minutes"],
  [86_400, "24 hours"],
])("%d seconds are %s", (seconds, text) => {
  expect(span(seconds)).toBe(text);
});
