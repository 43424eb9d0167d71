import { describe, expect, test } from "vitest";
import { createCalendar } from "../../../lib/time/calendar.ts";
import type { Event, Trigger } from "../../events/model.ts";
import { explainTriggers, pastReasons, presentReasons } from "./explanation.ts";
import { gapAt, withGap } from "./gaps.ts";
import { scheduleOf } from "./triggers.ts";

const rules = { calendar: createCalendar(), zone: "Europe/Berlin" };
const at = (text: string): number => Date.parse(text) / 1000;
const eventWith = (triggers: readonly Trigger[], members: Partial<Event> = {}): Event =>
  ({
    ...{ id: "e", title: "E", enabled: true, category: "c", plugin: "p", created: 0, modified: 0 },
    ...members,
    triggers: triggers.map((trigger) => ({ enabled: true, ...trigger })),
  }) as unknown as Event;
const explain = (triggers: readonly Trigger[], minute: string) =>
  explainTriggers(eventWith(triggers), at(minute), rules);

describe("explainTriggers", () => {
  test("names the lists of a pattern that do not match, by local time", () => {
    const { due, reasons } = explain([{ type: "schedule", hours: [9], weekdays: [1] }], "2026-07-01T07:00Z");
    expect(due).toBe(false);
    expect(reasons).toEqual([
      {
        code: "not_due",
        trigger: 0,
        description: "Not due at 2026-07-01 09:00 (Europe/Berlin): its weekdays do not match.",
      },
    ]);
  });

  test("reports clocks that went back, and a time that they skipped", () => {
    const again = explain([{ type: "schedule", hours: [2], minutes: [30] }], "2026-10-25T01:30Z");
    expect(again.reasons[0]?.description).toBe(
      "Clocks went back: 2026-10-25 02:30 (Europe/Berlin) was shown before, and the trigger runs once.",
    );
    const skipped = explain([{ type: "schedule", hours: [2], minutes: [30] }], "2026-03-29T01:00Z");
    expect(skipped).toMatchObject({ due: true, reasons: [] });
    expect(skipped.triggers[0]?.description).toBe(
      "Due at 2026-03-29 03:00 (Europe/Berlin), in place of a time that clocks skipped just before.",
    );
  });

  test("reports ranges and blackouts, whose ends belong to them", () => {
    const [start, end] = [at("2026-07-01T07:00Z"), at("2026-07-01T08:00Z")];
    const codes = (trigger: Trigger, minute: string) =>
      explain([{ type: "schedule" }, trigger], minute).reasons.map(({ code, trigger: index }) => [code, index]);
    expect(codes({ type: "blackout", start, end }, "2026-07-01T08:00Z")).toEqual([["blackout", 1]]);
    expect(codes({ type: "blackout", start, end }, "2026-07-01T08:01Z")).toEqual([]);
    expect(codes({ type: "range", start, end }, "2026-07-01T08:00Z")).toEqual([]);
    expect(codes({ type: "range", start, end }, "2026-07-01T08:01Z")).toEqual([["range", 1]]);
    expect(codes({ type: "range" }, "2026-07-01T08:01Z")).toEqual([["range", 1]]);
  });

  test("an event without launching triggers has no trigger to be due", () => {
    const { reasons, triggers } = explain(
      [{ type: "manual" }, { type: "schedule", enabled: false }],
      "2026-07-01T07:00Z",
    );
    expect(reasons).toMatchObject([{ code: "no_trigger" }]);
    expect(triggers).toEqual([{ index: 1, type: "schedule", due: false, description: "The trigger is disabled." }]);
  });

  test("lists the runs of a due minute, each second of an interval", () => {
    const start = at("2026-07-01T07:00Z");
    const { runs } = explain(
      [
        { type: "single", epoch: start },
        { type: "interval", start, duration: 20 },
      ],
      "2026-07-01T07:00Z",
    );
    expect(runs.map(({ key, now }) => [key, now - start])).toEqual([
      ["0", 0],
      ["1", 0],
      ["1", 20],
      ["1", 40],
    ]);
  });
});

test("present reasons name every disabled and every deleted record", () => {
  const around = {
    category: { title: "C", enabled: false },
    plugin: undefined,
    scheduler: { title: "S", enabled: false },
    isPaused: true,
  };
  const codes = presentReasons(eventWith([], { enabled: false }), around).map(({ code }) => code);
  expect(codes).toEqual([
    ...["scheduler_disabled", "event_disabled", "category_disabled", "plugin_missing", "scheduler_plugin_disabled"],
  ]);
  expect(presentReasons(eventWith([]), { category: { title: "C", enabled: true }, isPaused: false })).toEqual([]);
});

describe("past reasons", () => {
  const minute = 600;
  const codes = (
    members: Partial<Event>,
    triggers: Trigger[],
    state: Record<string, unknown>,
    gap?: "down" | "paused",
  ) => {
    const event = eventWith([{ type: "schedule" }, ...triggers], members);
    const found = gap && { from: 0, to: 6000, reason: gap };
    return pastReasons(event, scheduleOf(event), minute, {
      cursor: 1200,
      state: { id: "e", ...state },
      gap: found,
    }).map(({ code }) => code);
  };

  test("name minutes that were not evaluated, and the cause", () => {
    const event = eventWith([{ type: "schedule" }]);
    expect(
      pastReasons(event, scheduleOf(event), 1260, { cursor: 1200, state: { id: "e" }, gap: undefined }),
    ).toMatchObject([{ code: "not_evaluated" }]);
    expect(codes({}, [], {}, "down")).toEqual(["engine_down"]);
    expect(codes({}, [], {}, "paused")).toEqual(["scheduler_was_disabled"]);
    expect(codes({}, [{ type: "catchup" }], { cursor: 540 }, "down")).toEqual(["catchup_pending"]);
  });

  test("report that the event was a different one at that time", () => {
    expect(codes({ created: 900, modified: 900 }, [], {})).toEqual(["created_later"]);
    expect(codes({ created: 1, modified: 900 }, [], {})).toEqual(["changed_later"]);
  });

  test("report every-nth", () => {
    expect(codes({}, [{ type: "nth", every: 3 }], { nth: 2 })).toEqual(["nth"]);
  });
});

describe("gaps", () => {
  test("are the minutes before a pass that no engine evaluated, and minutes of a pause, joined", () => {
    const first = withGap({ id: "*", cursor: 60 }, { from: 300, to: 360 }, false);
    expect(first.gaps).toEqual([{ from: 120, to: 300, reason: "down" }]);
    const second = withGap({ ...first, cursor: 360 }, { from: 360, to: 420 }, true);
    const third = withGap({ ...second, cursor: 420 }, { from: 420, to: 480 }, true);
    expect(third.gaps).toEqual([
      { from: 120, to: 300, reason: "down" },
      { from: 420, to: 480, reason: "paused" },
    ]);
    expect([gapAt(third, 300)?.reason, gapAt(third, 360)?.reason, gapAt(third, 480)?.reason]).toEqual([
      "down",
      undefined,
      "paused",
    ]);
  });

  test("are a hundred at most, and none without a reason", () => {
    expect(withGap({ id: "*", cursor: 60 }, { from: 60, to: 120 }, false).gaps).toBeUndefined();
    let state = withGap({ id: "*", cursor: 0 }, { from: 60, to: 120 }, false);
    for (let turn = 1; turn < 150; turn++)
      state = withGap({ ...state, cursor: turn * 600 }, { from: turn * 600 + 60, to: 0 }, false);
    expect(state.gaps).toHaveLength(100);
  });
});
