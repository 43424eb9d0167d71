import { describe, expect, test } from "vitest";
import type { Beat, Ping } from "../model.ts";
import { afterPing, isRepeated, judged, notAhead, pings, readAddress } from "./ping.ts";

test.each([
  ["tok-en_1", { token: "tok-en_1", kind: "success" }],
  ["tok/", { token: "tok", kind: "success" }],
  ["tok/0", { token: "tok", kind: "success" }],
  ["tok/fail", { token: "tok", kind: "fail" }],
  ["tok/7", { token: "tok", kind: "fail", exit: 7 }],
  ["tok/255", { token: "tok", kind: "fail", exit: 255 }],
  ["tok/256", undefined],
  ["tok/start", { token: "tok", kind: "start" }],
  ["tok/alive", { token: "tok", kind: "alive" }],
  ["tok/log", { token: "tok", kind: "log" }],
  ["tok/stop", undefined],
  ["tok/start/more", undefined],
  ["", undefined],
  ["/start", undefined],
  ["t%6f", undefined],
  ["x".repeat(65), undefined],
])("the call to the address %j has the result %j", (suffix, said) => {
  expect(readAddress(suffix)).toEqual(said);
});

test.each([
  ["success", "all fine", ["ERROR"], "success"],
  ["success", "1 ERROR", ["WARN", "ERROR"], "fail"],
  ["success", undefined, ["ERROR"], "success"],
  ["success", "1 ERROR", [], "success"],
  ["log", "1 ERROR", ["ERROR"], "log"],
] as const)("a %s with the text %j and the words %j is a %s", (kind, body, words, said) => {
  expect(judged(kind, body, words)).toBe(said);
});

const ping = (kind: Ping["kind"], more: Partial<Ping> = {}): Ping => ({ kind, date: 100, ip: "192.0.2.1", ...more });
const beat: Beat = { id: "hb1", from: 1, failed: false, runs: [], count: 0 };
const running = [
  { run: "a", since: 10 },
  { run: "b", since: 20 },
];

describe("the state after a call", () => {
  test.each<[string, Partial<Beat>, Ping, Partial<Beat>]>([
    ["success", { failed: true, exit: 3 }, ping("success"), { success: 100, last: 100, failed: false, exit: 0 }],
    ["failure", { success: 50, exit: 0 }, ping("fail", { exit: 7 }), { success: 50, failed: true, exit: 7 }],
    ["start", {}, ping("start"), { last: 100, runs: [{ run: "", since: 100 }], failed: false }],
    [
      "start of a run again",
      { runs: running },
      ping("start", { run: "a" }),
      { runs: [running[1], { run: "a", since: 100 }] as never },
    ],
    [
      "sign of life",
      { runs: running },
      ping("alive", { run: "a" }),
      { runs: [{ run: "a", since: 100 }, running[1]] as never },
    ],
    [
      "sign of life that names no run",
      { runs: running },
      ping("alive"),
      { runs: running.map(({ run }) => ({ run, since: 100 })) },
    ],
    ["end of one run", { runs: running }, ping("success", { run: "a" }), { runs: [running[1]] as never }],
    ["end that names no run", { runs: running }, ping("success"), { runs: [] }],
    [
      "note",
      { last: 50, failed: true, exit: 2, runs: running },
      ping("log"),
      { last: 50, failed: true, exit: 2, runs: running },
    ],
  ])("about a %s", (_which, before, call, after) => {
    expect(afterPing({ ...beat, ...before }, call)).toMatchObject({ ...after, count: 1, latest: call });
  });

  test("has no exit status when a failure had none", () => {
    expect(afterPing({ ...beat, exit: 0 }, ping("fail"))).not.toHaveProperty("exit");
  });

  test("keeps the newest twenty runs", () => {
    let many = beat;
    for (let run = 0; run < 25; run++) many = afterPing(many, ping("start", { run: `r${run}` }));
    expect(many.runs).toHaveLength(20);
    expect(many.runs[0]).toEqual({ run: "r5", since: 100 });
  });
});

test.each([
  [ping("success"), true],
  [ping("success", { date: 101 }), false],
  [ping("fail"), false],
  [ping("success", { run: "a" }), false],
])("%j after a success is a repetition: %s", (call, repeated) => {
  expect(isRepeated({ ...beat, latest: ping("success") }, call)).toBe(repeated);
  expect(isRepeated(beat, call)).toBe(false);
});

test("times of a clock that was ahead are replaced by now", () => {
  const ahead = { ...beat, from: 5, last: 900, success: 900, begun: 60, runs: [{ run: "a", since: 800 }] };
  expect(notAhead(ahead, 100)).toEqual({ ...ahead, last: 100, success: 100, runs: [{ run: "a", since: 100 }] });
  expect(notAhead(ahead, 900)).toBe(ahead);
});

test("the last hundred calls are kept", () => {
  expect(pings.idsOf({ id: "hb", count: 250 })).toHaveLength(100);
});
