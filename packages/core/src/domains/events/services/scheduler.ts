import { setImmediate as nextTurn } from "node:timers/promises";
import type { Cradle } from "../../../kernel/container.ts";
import { eventCollection } from "../collection.ts";
import type { Event, EventState } from "../model.ts";
import { createCalendar } from "../rules/calendar.ts";
import { type Window, windowOf } from "../rules/plan.ts";
import { type Schedule, scheduleOf } from "../rules/triggers.ts";
import { createEventPass, type EventPass } from "./event-pass.ts";
import { isRunnable, launchStartup } from "./launches.ts";
import { readState, writeState } from "./states.ts";

/** Starts jobs by the clock. Safe under two leaders: every due run has a name of its own. */
export interface Scheduler {
  /** Tells when this engine started (Unix seconds); minutes before that were missed. */
  begin(started: number): void;
  /** One pass over all events; `now` is Unix seconds. */
  run(now: number, signal: AbortSignal): Promise<void>;
}

/** Row of `event_states` with the last minute that was evaluated for everybody; no event can have this id. */
const CURSOR = "*";
/** Engines that run longer take over without starting anything up: guards a change of the leader. Seconds. */
const MAX_STARTUP_UPTIME = 300;
/** Minutes evaluated before others get their turn. */
const MINUTES_PER_TURN = 300;

type Deps = Pick<Cradle, "config" | "definitions" | "launcher" | "log" | "snapshot" | "storage" | "transact">;

export function createScheduler(deps: Deps): Scheduler {
  const zone = deps.config.tz ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const pass = createEventPass(deps, { calendar: createCalendar(), zone });
  let started: number | undefined;
  let isStartupPending = true;
  return {
    begin(time) {
      started = time;
    },
    async run(now, signal) {
      started ??= now;
      if (isStartupPending) {
        isStartupPending = false;
        if (now - started <= MAX_STARTUP_UPTIME) await launchStartup(deps);
      }
      const { cursor } = await deps.snapshot((tx) => readState(tx, CURSOR));
      const window = windowOf({ now, started, cursor });
      const done = await passAll(deps, pass, window, signal);
      await storeCursors(deps, window, done);
    },
  };
}

interface Done {
  /** Catch-up positions of events that had nothing to launch. */
  readonly moved: ReadonlyMap<string, number>;
  /** No event failed: the minutes of the pass are over for everybody. */
  readonly isComplete: boolean;
}

async function passAll(deps: Deps, pass: EventPass, window: Window, signal: AbortSignal): Promise<Done> {
  const moved = new Map<string, number>();
  let isComplete = true;
  let minutes = 0;
  for (const { event, schedule } of candidates(deps)) {
    if (signal.aborted) return { moved, isComplete: false };
    try {
      const done = await pass(event, schedule, window, signal);
      if (done.cursor !== undefined) moved.set(event.id, done.cursor);
      minutes += done.minutes;
    } catch (error) {
      isComplete = false;
      deps.log.error({ event: event.id, error }, "The due runs of an event could not be stored; they are tried again");
    }
    if (minutes >= MINUTES_PER_TURN) {
      minutes = 0;
      await nextTurn();
    }
  }
  return { moved, isComplete };
}

async function storeCursors({ transact }: Deps, window: Window, { moved, isComplete }: Done): Promise<void> {
  const isOver = isComplete && window.to > window.from;
  if (!isOver && moved.size === 0) return;
  await transact(async ({ tx }) => {
    for (const [id, cursor] of moved) await writeState(tx, id, (state) => advance(state, cursor));
    if (isOver) await writeState(tx, CURSOR, (state) => advance(state, window.to));
  });
}

const advance = (state: EventState, cursor: number): EventState => ({
  ...state,
  cursor: Math.max(state.cursor ?? cursor, cursor),
});

interface Candidate {
  readonly event: Event;
  readonly schedule: Schedule;
}

/** Enabled events that the clock starts, with an enabled category and plugin. */
function candidates(deps: Deps): Candidate[] {
  return deps.definitions.all(eventCollection).flatMap((event) => {
    const schedule = event.enabled ? scheduleOf(event) : undefined;
    if (!schedule || !isRunnable(deps, event)) return [];
    if (!schedule.plugin) return [{ event, schedule }];
    deps.log.error({ event: event.id }, "Scheduler plugins are not available yet; the event does not start by itself");
    return [];
  });
}
