import type { Event, EventState, Gap, Trigger } from "../../events/model.ts";
import { explainPattern, type ZoneRules } from "./pattern.ts";
import { hitsAt, isDue, isInBlackout, isInRange, LAUNCHING, runsOf, type Schedule, scheduleOf } from "./triggers.ts";

/** One reason why a minute made a job or did not. */
export interface Reason {
  /** Stable name, for programs. */
  readonly code: string;
  readonly description: string;
  /** Place of the trigger in the event's list, from 0. */
  readonly trigger?: number;
}

/** The current triggers of an event, evaluated for one minute. */
export interface MinuteFacts {
  /** A trigger hits, and neither a range nor a blackout excludes the minute. */
  readonly due: boolean;
  readonly triggers: readonly {
    readonly index: number;
    readonly type: string;
    readonly due: boolean;
    readonly description: string;
  }[];
  readonly reasons: readonly Reason[];
  /** Runs of the minute: key of the trigger, and due second. */
  readonly runs: readonly { readonly key: string; readonly now: number }[];
}

/** Evaluates the triggers, ranges and blackouts of an event for a whole minute (docs/contract/schedules.md#minutes). */
export function explainTriggers(event: Event, minute: number, rules: ZoneRules): MinuteFacts {
  const schedule = scheduleOf(event);
  const triggers = event.triggers.flatMap((trigger, index) =>
    LAUNCHING.has(trigger.type) ? [{ index, type: trigger.type, ...explainTrigger(trigger, minute, rules) }] : [],
  );
  if (!schedule) {
    const description = "The event has no enabled trigger of type schedule, interval or single.";
    return { due: false, triggers, reasons: [{ code: "no_trigger", description }], runs: [] };
  }
  const reasons = [
    ...missedTriggers(triggers),
    ...windowReasons(event.triggers, minute),
    ...(schedule.plugin
      ? [{ code: "scheduler_plugin", description: "A scheduler plugin decides about each due run." }]
      : []),
  ];
  const hits = hitsAt(schedule, minute, rules);
  const runs = runsOf(schedule, hits, minute).map(({ launcher, now }) => ({ key: launcher.key, now }));
  return { due: hits.length > 0, triggers, reasons, runs };
}

function missedTriggers(triggers: MinuteFacts["triggers"]): Reason[] {
  if (triggers.some(({ due }) => due)) return [];
  return triggers.map(({ index, description }) => ({ code: "not_due", description, trigger: index }));
}

function explainTrigger(trigger: Trigger, minute: number, rules: ZoneRules): { due: boolean; description: string } {
  if (!trigger.enabled) return { due: false, description: "The trigger is disabled." };
  if (trigger.type === "schedule") {
    const { due, text } = explainPattern(trigger, minute, rules);
    return { due, description: text };
  }
  const due = isDue(trigger, minute, rules);
  const what =
    trigger.type === "single" ? "Its one minute is" : "It fires every so many seconds from its start, and that is";
  return { due, description: due ? "Due in this minute." : `${what} not in this minute.` };
}

function windowReasons(triggers: readonly Trigger[], minute: number): Reason[] {
  const enabled = triggers.map((trigger, index) => ({ trigger, index })).filter(({ trigger }) => trigger.enabled);
  const ranges = enabled.filter(({ trigger }) => trigger.type === "range");
  const isOutside = ranges.length > 0 && !ranges.some(({ trigger }) => isInRange(trigger, minute));
  const blackouts = enabled.filter(({ trigger }) => trigger.type === "blackout" && isInBlackout(trigger, minute));
  return [
    ...(isOutside
      ? [{ code: "range", description: "The minute is outside of every range.", trigger: ranges[0]?.index ?? 0 }]
      : []),
    ...blackouts.map(({ index }) => ({
      code: "blackout",
      description: "The minute is inside a blackout.",
      trigger: index,
    })),
  ];
}

/** Stored facts about the event apart from its triggers. */
export interface Surroundings {
  readonly category: { readonly title: string; readonly enabled?: unknown } | undefined;
  /** Absent for plugins of the engine itself; undefined when the plugin is gone. */
  readonly plugin?: { readonly title: string; readonly enabled?: unknown } | undefined;
  /** The plugin of its plugin modifier; undefined likewise. */
  readonly scheduler?: { readonly title: string; readonly enabled?: unknown } | undefined;
  readonly isPaused: boolean;
}

/** Reasons why the clock starts no runs of an event at present. */
export function presentReasons(event: Event, around: Surroundings): Reason[] {
  const reasons: Reason[] = [];
  const add = (code: string, description: string): void => void reasons.push({ code, description });
  if (around.isPaused) add("scheduler_disabled", "The scheduler is switched off.");
  if (!event.enabled) add("event_disabled", "The event is disabled.");
  for (const [noun, name] of [
    ["category", "category"],
    ["plugin", "plugin"],
    ["scheduler", "scheduler plugin"],
  ] as const) {
    if (!(noun in around)) continue;
    const found = around[noun];
    const code = noun === "scheduler" ? "scheduler_plugin" : noun;
    if (!found) add(`${code}_missing`, `The ${name} of the event does not exist.`);
    else if (!found.enabled) add(`${code}_disabled`, `The ${name} of the event is disabled: ${found.title}.`);
  }
  return reasons;
}

/** The scheduler's progress, against which a past minute is explained. */
export interface Timing {
  /** The last minute that was evaluated for all events; undefined = none yet. */
  readonly cursor: number | undefined;
  readonly state: EventState;
  readonly gap: Gap | undefined;
}

/** Reasons why a past minute made no job, derived from the event's record and the scheduler's stored state. */
export function pastReasons(event: Event, schedule: Schedule | undefined, minute: number, timing: Timing): Reason[] {
  const { cursor, gap, state } = timing;
  if (cursor === undefined || minute > cursor)
    return [{ code: "not_evaluated", description: "The minute was not evaluated yet." }];
  const reasons: Reason[] = [];
  const add = (code: string, description: string): void => void reasons.push({ code, description });
  const backlog = schedule?.catchup && (state.cursor ?? minute) < minute;
  if (backlog) add("catchup_pending", "The event has not caught up with this minute yet.");
  else if (gap?.reason === "paused") add("scheduler_was_disabled", "The scheduler was switched off in this minute.");
  else if (gap)
    add("engine_down", "No engine evaluated this minute: none ran, or it was held up for more than two minutes.");
  if (event.created >= minute + 60) add("created_later", "The event was created after this minute.");
  else if (event.modified >= minute)
    add("changed_later", "The event was changed since; its triggers may have been others.");
  if (schedule?.every !== undefined)
    add("nth", `Only one of ${schedule.every} due minutes runs; ${state.nth ?? 0} are left to the next.`);
  return reasons;
}
