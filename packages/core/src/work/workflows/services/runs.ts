import * as z from "zod";
import type { WorkHandler } from "../../../kernel/plugins/plugin.ts";
import { createBreath } from "../../../kernel/running/breath.ts";
import { deleteFound } from "../../../kernel/searches/delete-found.ts";
import { pagesById } from "../../../kernel/searches/pages-by-id.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import { hasWord } from "../../../search/ast.ts";
import { object } from "../../../wire/schemas/objects.ts";
import type { GraphNode } from "../../graphs/model.ts";
import type { ActiveJob, FinalJob } from "../../jobs/model.ts";
import { activeJobRecords, hasNoActiveJobs } from "../../jobs/records.ts";
import { beneath, RUN_ROWS, workflowEndCollection, workflowRunCollection } from "../collection.ts";
import { createActs } from "./acts.ts";
import { createEnds } from "./ends.ts";
import { finishRun } from "./finish.ts";
import { createMover } from "./moving/mover.ts";
import type { RunDeps } from "./moving/orders.ts";
import { createSessions } from "./moving/session.ts";
import { createSteps } from "./moving/steps.ts";
import { createTick } from "./moving/tick.ts";
import { viewOf } from "./view.ts";

/** Runs workflows: a workflow is itself a job, and so are its parts (docs/contract/workflows.md#running). */
export interface Workflows {
  /** Begins the run of a workflow's job, in the unit in which the job becomes active. */
  begin(unit: Unit, record: ActiveJob): Promise<ActiveJob>;
  /** Collects the end of a job for its workflow. */
  noteEnd(unit: Unit, final: FinalJob, record: ActiveJob): Promise<void>;
  /** Writes the collected ends, in the unit that writes the final records. */
  storeEnds(unit: Unit): Promise<void>;
  /** The job of a running workflow, including its state and its ended sub-jobs. */
  view(tx: ReadTx, record: ActiveJob): Promise<ActiveJob>;
  /** Updates progress and processes ends that were left behind; once a second, on the leader. */
  tick(): Promise<void>;
  /** True = `tick` would find neither a running workflow nor an end. */
  isIdle(): boolean;
  /** Waits for steps in progress; later happenings are processed after the next start. */
  stop(): Promise<void>;
  readonly workers: Readonly<Record<"step" | "abort" | "act" | "finish" | "clean", WorkHandler>>;
}

const RunItem = object(() => ({ id: z.string() }));
const AbortItem = object(() => ({ id: z.string(), reason: z.string() }));
const PAGE = 100;

export function createWorkflows(deps: RunDeps): Workflows {
  const sessions = createSessions(deps);
  const steps = createSteps(deps, sessions);
  const acts = createActs(deps, steps);
  const mover = createMover(deps, steps);
  return {
    async begin(unit, given) {
      const record = withoutNotes(given);
      await steps.begin(unit, record);
      unit.tx.afterCommit(() => void deps.jobs.desk.live.hold(record));
      return record;
    },
    ...createEnds(deps, mover),
    view: (tx, record) => (record.job.type === "workflow" ? viewOf(sessions, tx, record) : Promise.resolve(record)),
    tick: createTick(deps, { sessions, move: mover.move }),
    isIdle: () => hasNoActiveJobs(deps.storage) && (deps.storage.isKnownEmpty?.(workflowEndCollection) ?? false),
    stop: mover.stop,
    workers: {
      step: ({ payload }) => mover.move(RunItem.parse(payload).id),
      async abort({ payload }, _cradle, signal) {
        const { id, reason } = AbortItem.parse(payload);
        await steps.close(id, reason);
        await abortParts(deps, { id, reason, signal });
      },
      act: acts.worker,
      finish: ({ payload }) => finishRun(deps, sessions, RunItem.parse(payload).id),
      async clean({ payload }, _cradle, signal) {
        const { id } = RunItem.parse(payload);
        sessions.forget(id);
        await clean(deps, id, signal);
      },
    },
  };
}

/** Removes notes, which only decorate the graph, unless they are marked as visible. */
function withoutNotes(record: ActiveJob): ActiveJob {
  const nodes: unknown = record.job.workflow?.["nodes"];
  if (!Array.isArray(nodes)) return record;
  const kept = (nodes as readonly GraphNode[]).filter(({ type, data }) => type !== "note" || data?.show);
  return { ...record, job: { ...record.job, workflow: { ...record.job.workflow, nodes: kept } } };
}

interface Abortion {
  readonly id: string;
  readonly reason: string;
  readonly signal: AbortSignal;
}

/** Aborts sub-jobs. Those that are already aborting are skipped, also while their actions run, unless they wait for a person. */
async function abortParts(deps: Pick<RunDeps, "clock" | "jobs" | "snapshot">, { id, reason, signal }: Abortion) {
  const breathe = createBreath(deps.clock, signal);
  const where = hasWord("parent", id);
  for await (const parts of pagesById(deps.snapshot, activeJobRecords, { where, size: PAGE })) {
    if (signal.aborted) return;
    for (const part of parts) {
      if (!isTold(part)) await deps.jobs.monitor.abort(part.id, { reason });
      await breathe();
    }
  }
}

const isTold = ({ aborting, job: { code, complete, suspended } }: ActiveJob): boolean =>
  !suspended && (aborting !== undefined || (complete === true && code === "abort"));

/**
 * Removes the rows of an ended run; its final record contains them. The run's main row goes first, so that no late step writes
 * any of the others again.
 */
async function clean({ transact }: Pick<RunDeps, "transact">, id: string, signal: AbortSignal): Promise<void> {
  await transact(async ({ tx }) => {
    await tx.lock(`workflows:${id}`);
    await tx.collection(workflowRunCollection).delete(id);
  });
  for (const collection of RUN_ROWS)
    for (let count = PAGE; count === PAGE; ) {
      signal.throwIfAborted();
      count = await transact(({ tx }) =>
        deleteFound(tx.collection(collection as typeof workflowEndCollection), beneath(id), { limit: PAGE }),
      );
    }
}
