import type { Cradle } from "../../../kernel/container.ts";
import type { Unit } from "../../../kernel/unit-of-work.ts";
import type { Event, EventState } from "../model.ts";
import type { ZoneRules } from "../rules/pattern.ts";
import { pendingOf } from "../rules/pending.ts";
import { MAX_CATCHUP, type Plan, planEvent, type Window } from "../rules/plan.ts";
import type { Schedule } from "../rules/triggers.ts";
import { launchOne, requestOf } from "./launches.ts";
import type { Stagger } from "./stagger.ts";
import { readState, writeState } from "./states.ts";

export interface EventPassResult {
  readonly minutes: number;
  /** Catch-up position that nobody stored yet. */
  readonly cursor?: number;
}

/** What is evaluated in one pass, and how its launches are spread. */
export interface Pass {
  readonly window: Window;
  readonly stagger: Stagger;
  readonly signal: AbortSignal;
}

/** Evaluates and launches one event, in transactions of its own: a failure stays with the event. */
export type EventPass = (event: Event, schedule: Schedule, pass: Pass) => Promise<EventPassResult>;

type Deps = Pick<Cradle, "launcher" | "log" | "snapshot" | "transact">;

export function createEventPass(deps: Deps, rules: ZoneRules): EventPass {
  const { snapshot, transact } = deps;

  /** Runs, counters and cursor in one transaction. */
  async function launchDue(unit: Unit, event: Event, schedule: Schedule, { window, stagger }: Pass): Promise<Plan> {
    // Planned anew from what this transaction sees: another leader may have been here.
    const state = await readState(unit.tx, event.id);
    const plan = planEvent(schedule, state, window, rules);
    let next: EventState = plan.state;
    if (schedule.plugin) next = { ...next, pending: pendingOf(state.pending, plan.runs, { schedule, now: window.to }) };
    else
      for (const run of plan.runs)
        await launchOne(deps, unit, event, requestOf(event, { schedule, run, state, earliest: stagger.next() }));
    await writeState(unit.tx, event.id, (stored) => ({ ...stored, ...next }));
    return plan;
  }

  /** Most events are not due in most minutes: those are seen without reading or writing anything. */
  async function step(event: Event, schedule: Schedule, pass: Pass): Promise<Plan> {
    const state = schedule.catchup ? await snapshot((tx) => readState(tx, event.id)) : { id: event.id };
    const plan = planEvent(schedule, state, pass.window, rules);
    return plan.isDue ? transact((unit) => launchDue(unit, event, schedule, pass)) : plan;
  }

  return async (event, schedule, pass) => {
    let minutes = 0;
    let plan: Plan;
    do {
      plan = await step(event, schedule, pass);
      minutes += plan.minutes;
    } while (hasBacklog(plan, schedule, pass.window) && minutes < MAX_CATCHUP && !pass.signal.aborted);
    const { cursor } = plan.state;
    const isUnstored = schedule.catchup && !plan.isDue && plan.minutes > 0 && cursor !== undefined;
    return isUnstored ? { minutes, cursor } : { minutes };
  };
}

/** A plan that was cut short because its transaction grew; what it launched is stored with its cursor. */
const hasBacklog = (plan: Plan, schedule: Schedule, window: Window): boolean =>
  schedule.catchup && plan.isDue && (plan.state.cursor ?? window.to) < window.to;
