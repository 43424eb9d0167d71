import type { KeyedCradle } from "../../../kernel/container.ts";
import type { Nightly } from "../../../kernel/running/nightly.ts";
import { runAll } from "../../../lib/turns/run-all.ts";
import { createJobTickets, type JobTickets } from "../access/job-tickets.ts";
import { createJobTokens, type JobTokens } from "../access/job-tokens.ts";
import { hookDataOf } from "../actions/hook-context.ts";
import { createSuspension, type Suspension } from "../actions/suspension.ts";
import { type Completion, createCompletion } from "../finish/completion.ts";
import { createFinalWatch, type FinalWatch } from "../finish/final-watch.ts";
import { createJobLogs, type JobLogs } from "../logs/job-logs.ts";
import type { ActiveJob } from "../model.ts";
import { type Courier, createCourier } from "../start/hand-over.ts";
import { createPlaces, type JobPlaces } from "../start/places.ts";
import { createJobQueue, type JobQueue } from "../start/queue.ts";
import { createDeletion, type JobDeletion } from "../upkeep/deletion.ts";
import { createMaintenance } from "../upkeep/maintenance.ts";
import { createStopAll, type StopAllJobs } from "../upkeep/standstill.ts";
import { createStats, type JobStats } from "../upkeep/stats.ts";
import { createWatch, type JobWatch } from "../upkeep/watch.ts";
import { createDrain, type Drain } from "./drain.ts";
import { createJobDesk, type JobDesk } from "./job-desk.ts";
import { createMonitor, type JobMonitor } from "./monitor.ts";
import { createPhases, type Phases } from "./phases.ts";

/** The parts that carry jobs from launch to final record, and the members that operations use. */
export interface JobEngine {
  readonly desk: JobDesk;
  readonly logs: JobLogs;
  readonly monitor: JobMonitor;
  readonly phases: Phases;
  readonly queue: JobQueue;
  readonly watch: JobWatch;
  readonly finals: FinalWatch;
  readonly suspension: Suspension;
  readonly deletion: JobDeletion;
  readonly stats: JobStats;
  readonly places: JobPlaces;
  readonly stopAll: StopAllJobs;
  /** Starts nothing more, and waits at most `drain_timeout_sec` for jobs that would end with this process. */
  drain(): Promise<void>;
  /** True = nothing is started any more. */
  isDraining(): boolean;
  /** Once a day at `maintenance`: deletes the oldest jobs and old statistics. `now` is Unix seconds. */
  readonly maintain: Nightly;
  readonly tokens: JobTokens;
  readonly tickets: JobTickets;
  /** Template data of an active job (docs/contract/actions.md#template-data). */
  hookData(record: ActiveJob): Promise<Record<string, unknown>>;
  /** Checks waiting jobs soon, because a server connected or a slot became free. */
  wake(): void;
  /** Aborts when the engine stops, which ends streams. */
  readonly stopping: AbortSignal;
  /** Repairs the state of active jobs after a restart (docs/contract/jobs.md#silence-and-lost-servers). */
  recover(): Promise<void>;
  stop(): Promise<void>;
}

type Deps = Pick<
  KeyedCradle,
  | (
      | "actionRunner"
      | "alerts"
      | "apart"
      | "blobs"
      | "bus"
      | "clock"
      | "config"
      | "definitions"
      | "eventChecks"
      | "eventRecords"
    )
  | ("codeVersion" | "eventStates")
  | (
      | "events"
      | "expressions"
      | "files"
      | "hooked"
      | "hooks"
      | "ids"
      | "jobInbox"
      | "jobs"
      | "launchRoom"
      | "log"
      | "nodes"
      | "random"
      | "references"
      | "registry"
      | "secretKey"
    )
  | ("servers" | "snapshot" | "storage" | "ticketLinks" | "tracer" | "transact" | "vault" | "workflows")
>;

/** Reads other domains from the cradle only when needed, because they depend on this one in turn. */
export function createJobEngine(deps: Deps): JobEngine {
  const { log } = deps;
  const stopping = new AbortController();
  const parts = createParts(deps, stopping.signal);
  const { courier, desk, drain, phases, places, watch } = parts;
  deps.nodes.count("jobs", () => desk.live.all().length);
  return {
    ...parts,
    drain: drain.run,
    isDraining: () => drain.isOn || stopping.signal.aborted,
    tokens: createJobTokens(deps),
    tickets: createJobTickets(deps, desk),
    stopping: stopping.signal,
    hookData: (record) => hookDataOf(deps, record),
    wake: createWake(() =>
      watch.waiting().catch((error: unknown) => log.error({ error }, "Waiting jobs could not be looked at")),
    ),
    recover: watch.recover,
    async stop() {
      stopping.abort();
      courier.stop();
      // Agents inside this process have just sent their last updates.
      await deps.jobInbox.idle();
      await phases.stop();
      await desk.idle();
      await runAll([
        () => watch.flush({ all: true }),
        () =>
          places
            .leave()
            .catch((error: unknown) => log.warn({ error }, "The end of this node was not told to the others")),
      ]);
    },
  };
}

function createParts(deps: Deps, stopping: AbortSignal) {
  const desk = createJobDesk(deps);
  const logs = createJobLogs(deps);
  const stats = createStats(deps);
  const completion: Completion = createCompletion(deps, { desk, logs, stats });
  const phases: Phases = createPhases(deps, { desk, completion, monitor: () => monitor });
  const monitor: JobMonitor = createMonitor(deps, {
    ...{ desk, logs, completion, stats, phases: () => phases },
    ...{ places: () => places, courier: () => courier },
    isDraining: () => drain.isOn,
  });
  const places: JobPlaces = createPlaces(deps, { desk, monitor });
  const courier: Courier = createCourier(deps, (id) =>
    monitor
      .startBrought(id)
      .catch((error: unknown) => deps.log.error({ job: id, error }, "A job of another node could not be started")),
  );
  const drain: Drain = createDrain(deps, { desk, places });
  const queue = createJobQueue(deps, { desk });
  const deletion = createDeletion(deps, { logs, stats });
  return {
    ...{ courier, desk, logs, stats, phases, monitor, places, drain, queue, deletion },
    watch: createWatch(deps, { desk, logs, monitor, phases, queue }),
    finals: createFinalWatch(deps, { desk, stopping }),
    suspension: createSuspension(deps, { desk }),
    stopAll: createStopAll(deps, { monitor }),
    maintain: createMaintenance(deps, { deletion, stats }),
  };
}

/** Coalesces calls: calls that come during a look share one further look after it. */
function createWake(look: () => Promise<void>): () => void {
  let isLooking = false;
  let isAsked = false;
  const run = async (): Promise<void> => {
    isLooking = true;
    while (isAsked) {
      isAsked = false;
      await look();
    }
    isLooking = false;
  };
  return () => {
    isAsked = true;
    if (!isLooking) void run();
  };
}
