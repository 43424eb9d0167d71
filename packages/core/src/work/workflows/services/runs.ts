import * as z from "zod";
import type { WorkHandler } from "../../../kernel/plugins/plugin.ts";
import { createBreath } from "../../../kernel/running/breath.ts";
import { pagesById } from "../../../kernel/searches/pages-by-id.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import { hasWord } from "../../../search/ast.ts";
import { object } from "../../../wire/schemas/objects.ts";
import type { GraphNode } from "../../graphs/model.ts";
import type { ActiveJob, FinalJob } from "../../jobs/model.ts";
import { activeJobRecords } from "../../jobs/records.ts";
import { beneath, RUN_ROWS, type workflowEndCollection, workflowRunCollection } from "../collection.ts";
import { createActs } from "./acts.ts";
import { createEnds } from "./ends.ts";
import { finishRun } from "./finish.ts";
import { createMover } from "./moving/mover.ts";
import type { RunDeps } from "./moving/orders.ts";
import { createSessions } from "./moving/session.ts";
import { createSteps } from "./moving/steps.ts";
import { createTick } from "./moving/tick.ts";
import { viewOf } from "./view.ts";

/** Runs workflows: each is a job of its own, and its parts are jobs (docs/contract/workflows.md#running). */
export interface Workflows {
  /** Begins the run of a workflow's job, in the unit in which that becomes active. */
  begin(unit: Unit, record: ActiveJob): Promise<ActiveJob>;
  /** Notes the end of a job for the workflow that it is a part of. */
  noteEnd(unit: Unit, final: FinalJob, record: ActiveJob): Promise<void>;
  /** Writes the noted ends, in the unit that writes the final records. */
  storeEnds(unit: Unit): Promise<void>;
  /** The job of a running workflow with its state and its ended parts. */
  view(tx: ReadTx, record: ActiveJob): Promise<ActiveJob>;
  /** Once a second, on the leader: progress, and ends that were left behind. */
  tick(): Promise<void>;
  /** Waits for steps under way; later happenings are taken in after the next start. */
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

/** Notes are decoration of the graph, unless they are marked as to be seen. */
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

/** Parts that are told already are told nothing new, also while their actions run, unless they wait for a person. */
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
 * Removes the rows of an ended run, whose final record holds all of them. The run's own row goes first, so that no late step
 * writes any of the others again.
 */
async function clean({ transact }: Pick<RunDeps, "transact">, id: string, signal: AbortSignal): Promise<void> {
  await transact(async ({ tx }) => {
    await tx.lock(`workflows:${id}`);
    await tx.collection(workflowRunCollection).delete(id);
  });
  for (const collection of RUN_ROWS)
    for (let count = PAGE; count === PAGE; ) {
      signal.throwIfAborted();
      count = await transact(async ({ tx }) => {
        const { rows } = await tx
          .collection(collection as typeof workflowEndCollection)
          .find(beneath(id), { limit: PAGE });
        await tx.collection(collection as typeof workflowEndCollection).deleteMany(rows.map((row) => row.id));
        return rows.length;
      });
    }
}
