import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createCalendar } from "../../../lib/time/calendar.ts";
import type { EventState, Trigger } from "../../events/model.ts";
import { planEvent, windowOf } from "./plan.ts";
import { scheduleOf } from "./triggers.ts";

const rules = { calendar: createCalendar(), zone: "UTC" };
const T = 1_800_000_000;
const plan = (triggers: Trigger[], state: EventState, from: number, to: number) => {
  const schedule = scheduleOf({ triggers: triggers.map((trigger) => ({ ...trigger, enabled: true })) });
  if (!schedule) throw new Error("no launching trigger");
  return planEvent(schedule, state, { from, to }, rules);
};
/** Plans repeatedly until the whole window has been evaluated. */
function planAll(triggers: Trigger[], state: EventState, from: number, to: number) {
  const found: number[] = [];
  let done = plan(triggers, state, from, to);
  found.push(...nows(done));
  while (done.isCut) {
    done = plan(triggers, done.state, done.reached, to);
    found.push(...nows(done));
  }
  return { nows: found, state: done.state };
}
const everyMinute: Trigger = { type: "schedule" };
const nows = ({ runs }: { runs: readonly { now: number }[] }): number[] => runs.map(({ now }) => (now - T) / 60);

describe("planEvent", () => {
  test("evaluates the minutes after the start of the window up to its end", () => {
    expect(nows(plan([everyMinute], { id: "e" }, T, T + 180))).toEqual([1, 2, 3]);
  });

  test("never evaluates a minute again in which the event was due", () => {
    const first = plan([everyMinute], { id: "e" }, T, T + 120);
    expect(nows(plan([everyMinute], first.state, T, T + 180))).toEqual([3]);
  });

  test("catch-up begins at the stored cursor, whatever the window", () => {
    const done = plan([everyMinute, { type: "catchup" }], { id: "e", cursor: T - 300 }, T, T + 60);
    expect(nows(done)).toEqual([-4, -3, -2, -1, 0, 1]);
    expect(done.state.cursor).toBe(T + 60);
  });

  test("catch-up evaluates no more than a day of minutes at a time", () => {
    const late = { type: "schedule", hours: [12], minutes: [0] };
    const done = plan([late, { type: "catchup" }], { id: "e", cursor: T - 10 * 86_400 }, T, T);
    expect(done.minutes).toBe(1440);
    expect(done.state.cursor).toBe(T - 9 * 86_400);
  });

  test("catch-up stops after 25 runs and says where", () => {
    const done = plan([everyMinute, { type: "catchup" }], { id: "e", cursor: T - 86_400 }, T, T);
    expect(done.runs).toHaveLength(25);
    expect(done).toMatchObject({ isCut: true, reached: T - 86_400 + 25 * 60, state: { cursor: T - 86_400 + 25 * 60 } });
  });

  test("many triggers are evaluated for fewer minutes", () => {
    const never = Array.from({ length: 99 }, () => ({ type: "schedule", years: [2001] }));
    const done = plan([...never, { type: "catchup" }], { id: "e", cursor: T - 86_400 }, T, T);
    expect(done).toMatchObject({ minutes: 21, isCut: true, runs: [] });
  });

  test("nth counts over passes", () => {
    const nth = { type: "nth", every: 3 };
    const first = plan([everyMinute, nth], { id: "e" }, T, T + 120);
    const second = plan([everyMinute, nth], first.state, T + 120, T + 420);
    expect([...nows(first), ...nows(second)]).toEqual([1, 4, 7]);
  });

  test("without a due minute only the catch-up cursor moves", () => {
    const never = { type: "schedule", years: [2001] };
    expect(plan([never], { id: "e" }, T, T + 60)).toMatchObject({ isDue: false, state: { id: "e" } });
  });

  test("splitting a period into passes at any minutes gives the runs of one pass", () => {
    const triggers = [
      { type: "schedule", minutes: [0, 7, 30] },
      { type: "interval", start: T + 11, duration: 95 },
    ];
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 119 })), (cuts) => {
        let state: EventState = { id: "e" };
        const pieces: number[] = [];
        let from = T;
        for (const cut of [...cuts.sort((a, b) => a - b), 120]) {
          const piece = planAll(triggers, state, from, T + cut * 60);
          pieces.push(...piece.nows);
          state = piece.state;
          from = T + cut * 60;
        }
        expect(pieces).toEqual(planAll(triggers, { id: "e" }, T, T + 7200).nows);
      }),
    );
  });
});

describe("windowOf", () => {
  test.each([
    [
      "an engine that starts within a minute begins with the next",
      { now: T + 30, started: T + 30, cursor: undefined },
      [],
    ],
    ["an engine that starts with the minute evaluates it", { now: T + 0.4, started: T + 0.4, cursor: undefined }, [0]],
    ["the next minute follows", { now: T + 60, started: T - 600, cursor: T }, [1]],
    ["a minute is evaluated once", { now: T + 90, started: T - 600, cursor: T + 60 }, []],
    ["a stall of 120 s is caught up on", { now: T + 180, started: T - 600, cursor: T }, [1, 2, 3]],
    ["a longer gap counts as downtime", { now: T + 181, started: T - 600, cursor: T }, [3]],
    ["a clock that stepped back evaluates nothing", { now: T - 3600, started: T - 9000, cursor: T }, []],
    ["minutes before the start were missed", { now: T + 125, started: T + 100, cursor: T }, [2]],
    [
      "an interrupted pass is completed by an engine that started after it",
      { now: T + 20, started: T + 15, cursor: T - 60, begun: { from: T - 60, to: T } },
      [0],
    ],
    [
      "a pass interrupted long ago is downtime",
      { now: T + 130, started: T + 125, cursor: T - 60, begun: { from: T - 60, to: T } },
      [],
    ],
    [
      "a pass that another node has completed is over",
      { now: T + 70, started: T + 65, cursor: T, begun: { from: T - 60, to: T } },
      [],
    ],
  ])("%s", (_name, tick, expected) => {
    const { from, to } = windowOf(tick);
    const minutes: number[] = [];
    for (let minute = from + 60; minute <= to; minute += 60) minutes.push((minute - T) / 60);
    expect(minutes).toEqual(expected);
  });
});
