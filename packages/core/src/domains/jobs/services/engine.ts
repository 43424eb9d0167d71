import type { Cradle } from "../../../kernel/container.ts";
import type { ActiveJob } from "../model.ts";
import { type Completion, createCompletion } from "./completion.ts";
import { createFinalWatch, type FinalWatch } from "./final-watch.ts";
import { hookDataOf } from "./hook-context.ts";
import { createJobDesk, type JobDesk } from "./job-desk.ts";
import { createJobLogs, type JobLogs } from "./job-logs.ts";
import { createMonitor, type JobMonitor } from "./monitor.ts";
import { createPhases, type Phases } from "./phases.ts";
import { createJobQueue, type JobQueue } from "./queue.ts";
import { createWatch, type JobWatch } from "./watch.ts";

/** The parts that carry jobs from launch to their final record, and what operations ask of them. */
export interface JobEngine {
  readonly desk: JobDesk;
  readonly logs: JobLogs;
  readonly monitor: JobMonitor;
  readonly phases: Phases;
  readonly queue: JobQueue;
  readonly watch: JobWatch;
  readonly finals: FinalWatch;
  /** Signs the tokens of logs and streams. */
  readonly secretKey: string;
  /** Template data of an active job (part 33 §7). */
  hookData(record: ActiveJob): Record<string, unknown>;
  /** Looks at waiting jobs soon, because a server came or a slot became free. */
  wake(): void;
  /** Aborts when the engine stops: streams end then. */
  readonly stopping: AbortSignal;
  /** What a restart finds, brought into order (part 31 §14). */
  recover(): Promise<void>;
  stop(): Promise<void>;
}

/** Other domains are read from the cradle when they are needed: they depend on this one in turn. */
export function createJobEngine(cradle: Cradle): JobEngine {
  const { log } = cradle;
  const stopping = new AbortController();
  const desk = createJobDesk(cradle);
  const logs = createJobLogs(cradle);
  const completion: Completion = createCompletion(cradle, { desk, logs });
  const phases: Phases = createPhases(cradle, { desk, completion, monitor: () => monitor });
  const monitor: JobMonitor = createMonitor(cradle, { desk, logs, completion, phases: () => phases });
  const queue = createJobQueue(cradle, { desk });
  const watch = createWatch(cradle, { desk, logs, monitor, phases, queue });
  return {
    desk,
    logs,
    monitor,
    phases,
    queue,
    watch,
    finals: createFinalWatch(cradle, { desk, stopping: stopping.signal }),
    secretKey: cradle.secretKey,
    stopping: stopping.signal,
    hookData: (record) => hookDataOf(cradle, record),
    wake() {
      watch.waiting().catch((error: unknown) => log.error({ error }, "Waiting jobs could not be looked at"));
    },
    recover: watch.recover,
    async stop() {
      stopping.abort();
      await phases.stop();
      await desk.idle();
      await watch.flush({ all: true });
    },
  };
}
