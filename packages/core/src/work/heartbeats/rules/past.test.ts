import { expect, test } from "vitest";
import type { BeatSight, Heartbeat, Ping } from "../model.ts";
import { pastOf } from "./past.ts";

const heartbeat = { id: "hb1", title: "Copy", enabled: true, category: "general", every: 300, grace: 60 } as Heartbeat;
const times = { after: (moment: number) => moment + 300, afterSign: (moment: number) => moment + 300 };
const ping = (minute: number, kind: Ping["kind"] = "success"): Ping => ({ kind, date: minute * 60 - 10, ip: "" });
/** Minutes, each with the seconds by which a success is late, or "failed". */
const seen = (calls: readonly Ping[], from: number, to: number): string[] =>
  [...pastOf(heartbeat, calls, { from, to, times })].map(({ date, context }) => {
    const { late_sec, failed, running } = (context as BeatSight).beat;
    return [date / 60, failed ? "failed" : late_sec, ...(running > 0 ? ["running"] : [])].join(" ");
  });

test.each<[string, readonly Ping[], readonly [number, number], readonly string[]]>([
  ["no call", [], [0, 9], []],
  ["before the first call", [ping(20)], [0, 9], []],
  ["one call without a next one", [ping(2)], [6, 11], ["6 0", "7 0", "8 10", "9 70", "10 130"]],
  ["calls before the time count", [ping(2), ping(4)], [9, 12], ["9 0", "10 10", "11 70"]],
  [
    "a failure, until the next success",
    [ping(2), ping(3, "fail"), ping(5)],
    [2, 6],
    ["2 0", "3 failed", "4 failed", "5 0"],
  ],
  ["a run that continues", [ping(2, "start"), ping(4)], [2, 5], ["2 0 running", "3 0 running", "4 0"]],
])("%s", (_name, calls, [from, to], expected) => {
  expect(seen(calls, from, to)).toEqual(expected);
});
