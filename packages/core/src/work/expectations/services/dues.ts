import type { Cradle } from "../../../kernel/container.ts";
import { scheduleOf } from "../../schedules/rules/triggers.ts";
import { nextRuns } from "../../schedules/rules/upcoming.ts";
import type { DueAfter } from "../rules/runs.ts";
import type { Expecting } from "../rules/sight.ts";

/** Finds the next scheduled run of an event; undefined when the event expects no starts. */
export type DuesOf = (event: Expecting) => DueAfter | undefined;

/**
 * Keeps the last search of each event, because events are evaluated every minute but run rarely. Keyed by the definition object,
 * which is replaced when it changes.
 */
export function createDues({ scheduler }: Pick<Cradle, "scheduler">): DuesOf {
  const known = new WeakMap<Expecting, DueAfter | undefined>();
  return (event) => {
    if (!known.has(event)) known.set(event, dueAfterOf(event, scheduler));
    return known.get(event);
  };
}

/** Due times are unknown if a scheduler plugin decides about each run, or while the every-nth count is unknown. */
function dueAfterOf(event: Expecting, scheduler: Cradle["scheduler"]): DueAfter | undefined {
  const schedule = event.expect.start_within === undefined ? undefined : scheduleOf(event);
  if (!schedule || schedule.plugin) return undefined;
  let last: { readonly moment: number; readonly due: number | undefined } | undefined;
  return (moment, isRun) => {
    if (schedule.every !== undefined && !isRun) return undefined;
    if (last?.moment === moment) return last.due;
    const [run] = nextRuns({ schedule, nth: schedule.every }, { from: moment + 1, limit: 1 }, scheduler.rules);
    last = { moment, due: run && (run.until ?? run.now) };
    return last.due;
  };
}
