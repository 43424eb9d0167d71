import type { Cradle } from "../../../kernel/container.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import type { Event, EventState } from "../../events/model.ts";
import { firstPosition } from "../../events/rules/triggers/first-position.ts";
import type { ZoneRules } from "../rules/pattern.ts";
import { pendingOf } from "../rules/pending.ts";
import { MAX_CATCHUP, MAX_RUNS, type Plan, planEvent, type Window } from "../rules/plan.ts";
import type { DueRun, Schedule } from "../rules/triggers.ts";
import { launchOne, requestOf } from "./launches.ts";
import type { Stagger } from "./stagger.ts";

export interface EventPassResult {
  readonly minutes: number;
  /** Catch-up position that has not been stored yet. */
  readonly moved?: Position;
}

/** A position of a pass. */
export interface Position {
  /** Last minute that was evaluated, Unix seconds. */
  readonly cursor: number;
  /** Number of the replay that the position belongs to. A caller who moves the cursor begins another replay. */
  readonly replay: number | undefined;
}

/** The minutes that one pass evaluates, and how its launches are staggered. */
export interface Pass {
  readonly window: Window;
  readonly stagger: Stagger;
  readonly signal: AbortSignal;
  /** Yields to other work when a slice of time is used up. */
  readonly breathe: () => Promise<void>;
}

/** Evaluates one event and launches its runs in separate transactions, so that a failure affects only this event. */
export type EventPass = (event: Event, schedule: Schedule, pass: Pass) => Promise<EventPassResult>;

type Deps = Pick<Cradle, "eventStates" | "launcher" | "log" | "snapshot" | "transact">;

interface Step extends Pass {
  readonly event: Event;
  readonly schedule: Schedule;
  /** Position that the earlier steps have reached; undefined = this is the first step. */
  readonly reached: Position | undefined;
  /** Minutes that the earlier steps evaluated. */
  readonly minutes: number;
}

type PlanFrom = (state: EventState, step: Pick<Step, "event" | "minutes" | "reached" | "schedule" | "window">) => Plan;

const keyOfRun = ({ launcher, now }: DueRun): string => `${launcher.key}:${now}`;

export function createEventPass(deps: Deps, rules: ZoneRules): EventPass {
  const planFrom: PlanFrom = (state, { event, minutes, reached, schedule, window }) => {
    const isMoved = schedule.catchup && reached?.replay !== state.replay;
    if (reached === undefined || isMoved) {
      const { from, since = from } = window;
      const { cursor = Math.min(from, firstPosition(event.modified, since)) } = state;
      return planEvent(schedule, schedule.catchup ? { ...state, cursor } : state, window, rules);
    }
    const rest = { from: reached.cursor, to: window.to, most: MAX_CATCHUP - minutes };
    return planEvent(schedule, schedule.catchup ? advance(state, reached.cursor) : state, rest, rules);
  };
  return async (event, schedule, pass) => {
    let minutes = 0;
    let reached: Position | undefined;
    let plan: Plan;
    do {
      const step: Step = { ...pass, event, schedule, reached, minutes };
      const state = schedule.catchup
        ? await deps.snapshot((tx) => deps.eventStates.read(tx, event.id))
        : { id: event.id };
      plan = planFrom(state, step);
      // Most events are not due in most minutes: those are seen without reading or writing anything.
      if (plan.isDue) plan = await launchPlan(deps, plan, step, planFrom);
      minutes += plan.minutes;
      reached = { cursor: plan.reached, replay: plan.state.replay };
      await pass.breathe();
    } while (plan.isCut && minutes < MAX_CATCHUP && !pass.signal.aborted);
    const isUnstored = schedule.catchup && !plan.isDue && plan.minutes > 0;
    return isUnstored ? { minutes, moved: reached } : { minutes };
  };
}

/**
 * Stores counters and cursor together with the last launches. Earlier launches have separate transactions, which may be repeated:
 * the unique key of a run prevents a second launch.
 */
async function launchPlan(deps: Deps, plan: Plan, step: Step, planFrom: PlanFrom): Promise<Plan> {
  const { event, schedule, window, breathe } = step;
  const launched = new Set<string>();
  const launchAll = async (unit: Unit, state: EventState, runs: readonly DueRun[]): Promise<void> => {
    for (const run of runs)
      if (!launched.has(keyOfRun(run)))
        await launchOne(deps, unit, event, requestOf(event, { schedule, run, state, earliest: step.stagger.next() }));
  };
  const ahead = schedule.plugin ? [] : plan.runs.slice(0, -MAX_RUNS);
  for (let from = 0; from < ahead.length; from += MAX_RUNS) {
    const slice = ahead.slice(from, from + MAX_RUNS);
    await deps.transact(async (unit) => launchAll(unit, await deps.eventStates.read(unit.tx, event.id), slice));
    for (const run of slice) launched.add(keyOfRun(run));
    await breathe();
  }
  return deps.transact(async (unit) => {
    // Plans again from the state in this transaction, since another leader may have launched runs meanwhile.
    const state = await deps.eventStates.read(unit.tx, event.id);
    const last = planFrom(state, step);
    if (!schedule.plugin) await launchAll(unit, state, last.runs);
    const pending = schedule.plugin && pendingOf(state.pending, last.runs, { schedule, now: window.to });
    await deps.eventStates.write(unit.tx, event.id, (stored) => ({
      ...stored,
      ...last.state,
      ...(pending ? { pending } : {}),
    }));
    return last;
  });
}

const advance = (state: EventState, reached: number): EventState => ({
  ...state,
  cursor: Math.max(state.cursor ?? reached, reached),
});
