import type { Cradle } from "../../../kernel/container.ts";
import type { Unit } from "../../../kernel/unit-of-work.ts";
import type { Event } from "../model.ts";
import { MAX_CATCHUP, type Plan, planEvent, type Window } from "../rules/plan.ts";
import type { Schedule, ZoneRules } from "../rules/triggers.ts";
import { launchOne, requestOf } from "./launches.ts";
import { readState, writeState } from "./states.ts";

export interface EventPassResult {
  readonly minutes: number;
  /** Catch-up position that nobody stored yet. */
  readonly cursor?: number;
}

/** Evaluates and launches one event, in transactions of its own: a failure stays with the event. */
export type EventPass = (
  event: Event,
  schedule: Schedule,
  window: Window,
  signal: AbortSignal,
) => Promise<EventPassResult>;

type Deps = Pick<Cradle, "launcher" | "log" | "snapshot" | "transact">;

export function createEventPass(deps: Deps, rules: ZoneRules): EventPass {
  const { snapshot, transact } = deps;

  /** Runs, counters and cursor in one transaction. */
  async function launchDue(unit: Unit, event: Event, schedule: Schedule, window: Window): Promise<Plan> {
    // Planned anew from what this transaction sees: another leader may have been here.
    const state = await readState(unit.tx, event.id);
    const plan = planEvent(schedule, state, window, rules);
    for (const run of plan.runs) await launchOne(deps, unit, event, requestOf(event, schedule, run, state));
    await writeState(unit.tx, event.id, (stored) => ({ ...stored, ...plan.state }));
    return plan;
  }

  /** Most events are not due in most minutes: those are seen without reading or writing anything. */
  async function step(event: Event, schedule: Schedule, window: Window): Promise<Plan> {
    const state = schedule.catchup ? await snapshot((tx) => readState(tx, event.id)) : { id: event.id };
    const plan = planEvent(schedule, state, window, rules);
    return plan.isDue ? transact((unit) => launchDue(unit, event, schedule, window)) : plan;
  }

  return async (event, schedule, window, signal) => {
    let minutes = 0;
    let plan: Plan;
    do {
      plan = await step(event, schedule, window);
      minutes += plan.minutes;
    } while (hasBacklog(plan, schedule, window) && minutes < MAX_CATCHUP && !signal.aborted);
    const { cursor } = plan.state;
    const isUnstored = schedule.catchup && !plan.isDue && plan.minutes > 0 && cursor !== undefined;
    return isUnstored ? { minutes, cursor } : { minutes };
  };
}

/** A plan that was cut short because its transaction grew; what it launched is stored with its cursor. */
const hasBacklog = (plan: Plan, schedule: Schedule, window: Window): boolean =>
  schedule.catchup && plan.isDue && (plan.state.cursor ?? window.to) < window.to;
