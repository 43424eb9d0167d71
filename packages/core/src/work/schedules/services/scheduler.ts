import { pluginRecords } from "../../../directory/plugins/records.ts";
import { definitionIn } from "../../../kernel/apart.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { createBreath } from "../../../kernel/running/breath.ts";
import { pause } from "../../../kernel/running/loops.ts";
import { createCalendar, OWN_ZONE } from "../../../lib/time/calendar.ts";
import { durationSeconds } from "../../../lib/time/duration.ts";
import { CURSOR, type EventState } from "../../events/model.ts";
import { leaptOver, withGap, withoutMinutes } from "../rules/gaps.ts";
import type { ZoneRules } from "../rules/pattern.ts";
import { type Window, windowOf } from "../rules/plan.ts";
import { scheduleOf } from "../rules/triggers.ts";
import { type Candidate, createDecisions, type Decisions } from "./decisions.ts";
import { createEventPass, type EventPass, type Pass, type Position } from "./event-pass.ts";
import { isRunnable, launchStartup } from "./launches.ts";
import { createStagger } from "./stagger.ts";

/** Launches jobs by the clock. Safe with two leaders, because every due run has a unique key. */
export interface Scheduler {
  /** Calendar and time zone in which triggers are evaluated. */
  readonly rules: ZoneRules;
  /** Sets when this engine started (Unix seconds); minutes before that were missed. */
  begin(started: number): void;
  /** One pass over all events; `now` is Unix seconds. */
  run(now: number, signal: AbortSignal): Promise<void>;
  /** Stops the scheduler plugins that are still being asked. */
  stop(): Promise<void>;
}

type Deps = Pick<
  Cradle,
  | (
      | "activeJobs"
      | "apart"
      | "blobs"
      | "clock"
      | "config"
      | "definitions"
      | "eventRecords"
      | "eventStates"
      | "inputFiles"
    )
  | ("launcher" | "log" | "nodes" | "processes" | "schedulerTrials" | "snapshot" | "state" | "storage" | "transact")
>;

interface Tools {
  readonly deps: Deps;
  readonly pass: EventPass;
  readonly decisions: () => Decisions;
}

/** Reads the zone rules from the current configuration. */
const rulesOf = (config: Deps["config"]): ZoneRules => ({
  calendar: createCalendar(),
  get zone() {
    return config.tz ?? OWN_ZONE;
  },
  get dst() {
    return config.scheduler_dst;
  },
});

export function createScheduler(deps: Deps): Scheduler {
  const { config } = deps;
  const rules = rulesOf(config);
  let decisions: Decisions | undefined;
  const tools: Tools = {
    deps,
    pass: createEventPass(deps, rules),
    // Created on first use, when the other domains exist.
    decisions: () => (decisions ??= createDecisions(deps, rules)),
  };
  let started: number | undefined;
  let isStartupPending = true;
  return {
    rules,
    begin(time) {
      started = time;
    },
    async run(now, signal) {
      started ??= now;
      const isPaused = deps.state.get("scheduler.enabled") === false;
      const stagger = createStagger(now, config.scheduler_stagger_ms);
      const state = await deps.snapshot((tx) => deps.eventStates.read(tx, CURSOR));
      // Minutes in which another node was alive were not missed, even if this node started later.
      const served = Math.min(started, deps.nodes.servedSince() ?? started);
      const { cursor, begun } = state;
      const window = leaptOver(state, now) ?? windowOf({ now, started: served, cursor, begun });
      if (!isPaused) await noteBegin(deps, window);
      // A pause ends its minutes for all events; cursors of events with catch-up do not move
      // (docs/contract/schedules.md#missed-minutes).
      const done = isPaused ? NOTHING_DONE : await passAll(tools, { window, stagger, signal });
      await storeCursors(deps, window, { ...done, isPaused });
      const isStartup = isStartupPending && !isPaused;
      isStartupPending = false;
      if (isStartup) await launchFirst(deps, { now, started, stagger, signal });
    },
    async stop() {
      await decisions?.stop();
    },
  };
}

/** The server of this process connects within this time; before that, these runs would find no server. */
const STARTUP_DELAY_MS = 250;

interface First extends Pick<Pass, "signal" | "stagger"> {
  /** Unix seconds at which the pass began, and at which the engine started. */
  readonly now: number;
  readonly started: number;
}

/**
 * Launches the runs of a startup. An engine with a longer uptime has taken over from another one
 * (docs/contract/schedules.md#startup).
 */
async function launchFirst(deps: Deps, { now, started, stagger, signal }: First): Promise<void> {
  if (now - started > durationSeconds(deps.config.min_startup_trigger_uptime)) return;
  await pause(deps.clock, STARTUP_DELAY_MS, signal);
  if (!signal.aborted) await launchStartup(deps, stagger);
}

interface Done {
  /** Catch-up positions of events that had nothing to launch. */
  readonly moved: ReadonlyMap<string, Position>;
  /** No event failed, so the minutes of the pass are done for all events. */
  readonly isComplete: boolean;
}

const NOTHING_DONE: Done = { moved: new Map(), isComplete: true };

async function passAll({ deps, pass, decisions }: Tools, around: Omit<Pass, "breathe">): Promise<Done> {
  const moved = new Map<string, Position>();
  const how: Pass = { ...around, breathe: createBreath(deps.clock, around.signal) };
  let isComplete = true;
  const all = candidates(deps);
  for (const { event, schedule } of all) {
    if (how.signal.aborted) return { moved, isComplete: false };
    try {
      const about = { task: "the schedule", noun: "Event", id: event.id, signal: how.signal };
      const passed = await deps.apart.run(about, () => pass(event, schedule, how));
      if (!passed) isComplete = false;
      if (passed?.moved !== undefined) moved.set(event.id, passed.moved);
    } catch (error) {
      isComplete = false;
      deps.log.error({ event: event.id, error }, "The due runs of an event could not be stored; they are tried again");
    }
    await how.breathe();
  }
  const asked = all.filter(({ schedule }) => schedule.plugin);
  try {
    if (asked.length > 0) await decisions().ask(asked, how);
  } catch (error) {
    // Waiting runs are stored, so the next pass asks about them again.
    deps.log.error({ error }, "Scheduler plugins could not be asked");
  }
  return { moved, isComplete };
}

/**
 * Written before the first launch, so that the minutes are not lost if the engine dies in the middle of them. It also stores, for
 * all events at once, the gap of minutes that the pass leaves out: otherwise a later leader that started earlier would launch
 * those minutes, but only for the events that this pass did not reach.
 */
async function noteBegin({ eventStates, transact }: Deps, window: Window): Promise<void> {
  if (window.to <= window.from) return;
  await transact(({ tx }) =>
    eventStates.write(tx, CURSOR, (state) => ({
      ...advance(withGap(state, window, false), window.from),
      begun: { ...window },
    })),
  );
}

async function storeCursors(
  { eventStates, transact }: Deps,
  window: Window,
  { moved, isComplete, isPaused }: Done & { readonly isPaused: boolean },
): Promise<void> {
  const isOver = isComplete && window.to > window.from;
  if (!isOver && moved.size === 0) return;
  await transact(async ({ tx }) => {
    // A caller may have moved the cursor since; the replay then begins at the caller's position.
    for (const [id, { cursor, replay }] of moved)
      await eventStates.write(tx, id, (state) => (state.replay === replay ? advance(state, cursor) : state));
    if (isOver)
      await eventStates.write(tx, CURSOR, (state) =>
        ended(withoutMinutes(withGap(state, window, isPaused), window), window.to),
      );
  });
}

const advance = (state: EventState, cursor: number): EventState => ({
  ...state,
  cursor: Math.max(state.cursor ?? cursor, cursor),
});

function ended(state: EventState, to: number): EventState {
  const { begun: _over, ...rest } = advance(state, to);
  return rest as EventState;
}

/** Enabled events that the clock starts, with an enabled category and plugin. A scheduler plugin must be enabled too. */
function candidates(deps: Deps): Candidate[] {
  return deps.eventRecords.all().flatMap((event) => {
    const about = definitionIn("the schedule", "Event", event.id);
    const schedule = event.enabled ? deps.apart.now(about, () => scheduleOf(event)) : undefined;
    if (!schedule || !isRunnable(deps, event)) return [];
    if (!schedule.plugin) return [{ event, schedule }];
    const plugin = deps.definitions.get(pluginRecords, String(schedule.plugin["plugin_id"]));
    if (plugin?.type !== "scheduler")
      deps.log.error(
        { event: event.id, plugin: schedule.plugin["plugin_id"] },
        "The scheduler plugin of an event does not exist",
      );
    return plugin?.type === "scheduler" && plugin.enabled ? [{ event, schedule }] : [];
  });
}
