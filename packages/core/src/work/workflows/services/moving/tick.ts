import { createBreath } from "../../../../kernel/running/breath.ts";
import type { ReadTx } from "../../../../ports/storage/storage.ts";
import { afterId, allOf, anyOf, atLeast, below, hasWord } from "../../../../search/ast.ts";
import type { ActiveJob } from "../../../jobs/model.ts";
import { activeJobRecords, findsNoActiveJobs } from "../../../jobs/records.ts";
import { workflowEndCollection, workflowRunCollection } from "../../collection.ts";
import type { WorkflowEnd, WorkflowRun } from "../../model.ts";
import { addUsage, progressOf, type RunningPart } from "../../rules/progress.ts";
import { hasSteps } from "../../rules/steps/advance.ts";
import type { Mover } from "./mover.ts";
import type { RunDeps } from "./orders.ts";
import type { Sessions } from "./session.ts";

interface Tools {
  readonly sessions: Sessions;
  readonly move: Mover["move"];
}

interface Round extends Tools {
  /** Revisions of runs that can take a step: in the previous round, and in this one. */
  readonly before: ReadonlyMap<string, number>;
  readonly now: Map<string, number>;
}

const PAGE = 200;
/** Seconds within which an end is processed unless something went wrong. */
const LEFT_BEHIND_SEC = 2;
/** Most sub-jobs of a workflow that are read for its readings on a shared storage. */
const MAX_LOOKED_AT = 500;

const ACTIVE = allOf([hasWord("kind", "workflow"), hasWord("state", "active")]);

/** Checks all running workflows, once a second (docs/contract/workflows.md#tick). */
export function createTick(deps: RunDeps, given: Tools): () => Promise<void> {
  let before: ReadonlyMap<string, number> = new Map();
  return async () => {
    if (await isQuiet(deps)) return;
    const now = new Map<string, number>();
    const tools = { ...given, before, now };
    before = now;
    // Mostly there are no ends, so one snapshot is enough.
    const first = await deps.snapshot(async (tx) => ({
      ends: await leftBehind(tx, deps.nodes.nowMs() / 1000),
      active: await activeAfter(tx, ""),
    }));
    await takeIn(deps, tools, first.ends);
    // Processing an end may have finished one of the active workflows.
    await lookAtAll(
      deps,
      tools,
      first.ends.length > 0 ? await deps.snapshot((tx) => activeAfter(tx, "")) : first.active,
    );
  };
}

const isQuiet = async ({ storage }: RunDeps): Promise<boolean> =>
  (await findsNoActiveJobs(storage)) && (await storage.isEmpty?.(workflowEndCollection)) === true;

async function lookAtAll(deps: RunDeps, tools: Round, first: readonly ActiveJob[]): Promise<void> {
  const breathe = createBreath(deps.clock, deps.jobs.stopping);
  for (let rows = first; ; ) {
    for (const record of rows) {
      const matter = { task: "the watch of workflows", noun: "Job", id: record.id };
      await deps.apart.run(matter, () => lookAt(deps, tools, record));
      await breathe();
    }
    if (rows.length < PAGE) return;
    const after = rows.at(-1)?.id ?? "";
    rows = await deps.snapshot((tx) => activeAfter(tx, after));
  }
}

async function activeAfter(tx: ReadTx, after: string): Promise<readonly ActiveJob[]> {
  const where = allOf([ACTIVE, afterId(after)]);
  return (await tx.collection(activeJobRecords).find(where, { sortBy: "id", limit: PAGE })).rows;
}

/** Ends that no step has processed, because a process was killed or a step failed. */
async function leftBehind(tx: ReadTx, now: number): Promise<readonly WorkflowEnd[]> {
  // A time in the future comes from a clock that has been set back since.
  const where = anyOf([below("at", now - LEFT_BEHIND_SEC), atLeast("at", now + LEFT_BEHIND_SEC)]);
  return (await tx.collection(workflowEndCollection).find(where, { sortBy: "at", limit: PAGE })).rows;
}

async function takeIn({ transact }: RunDeps, { move }: Tools, rows: readonly WorkflowEnd[]): Promise<void> {
  for (const run of new Set(rows.map((row) => row.run))) {
    await move(run);
    // No run waits for these ends.
    await transact(async ({ tx }) => {
      const stored = await tx.collection(workflowRunCollection).get(run);
      const lost = rows.filter((row) => row.run === run).map(({ id }) => id);
      if (!stored || stored.state.over) await tx.collection(workflowEndCollection).deleteMany(lost);
    });
  }
}

async function lookAt(deps: RunDeps, { sessions, move, before, now }: Round, record: ActiveJob): Promise<void> {
  const { id } = record;
  const { desk } = deps.jobs;
  const run = await deps.snapshot((tx) => tx.collection(workflowRunCollection).get(id));
  if (!run) return;
  if (!desk.live.get(id)) await desk.adopt(record);
  // No job or action will advance it: a wake-up was lost, or arrives at this moment.
  const isIdle = run.state.running === 0 && run.state.acting === 0 && !run.state.over;
  // The process that advanced it stopped between two steps.
  const isStuck = hasSteps(run.state) && before.get(id) === run.rev;
  if (hasSteps(run.state)) now.set(id, run.rev);
  if (isIdle || isStuck) await move(id);
  if (run.state.over) await deps.transact(({ tx }) => tx.enqueue("workflows.finish", { id }, { key: id }));
  else if (run.state.aborted !== undefined) await remind(deps, run, run.state.aborted);
  await note(deps, sessions, run);
}

/** Aborts the sub-jobs again, for an attempt that was launched while its workflow was being ended. */
async function remind({ transact }: RunDeps, { id }: WorkflowRun, reason: string): Promise<void> {
  await transact(({ tx }) => tx.enqueue("workflows.abort", { id, reason }, { key: id }));
}

async function note(deps: RunDeps, sessions: Sessions, run: WorkflowRun): Promise<void> {
  const { live } = deps.jobs.desk;
  const entry = live.get(run.id);
  if (!entry) return;
  const rows = await deps.snapshot((tx) => sessions.rows(tx, run));
  const parts = await runningParts(deps, run.id);
  const { job } = live.view(entry.record);
  const cpu = addUsage(
    job.cpu,
    parts.map((part) => part.cpu),
  );
  const mem = addUsage(
    job.mem,
    parts.map((part) => part.mem),
  );
  const readings = { progress: progressOf(rows, parts), updated: deps.clock.now() };
  live.note(entry, { job: { ...readings, ...(cpu ? { cpu } : {}), ...(mem ? { mem } : {}) } }, false);
}

async function runningParts({ jobs, snapshot, storage }: RunDeps, run: string): Promise<RunningPart[]> {
  const { live } = jobs.desk;
  const here = live.all().map(({ record }) => live.view(record));
  const known = here.filter(({ job }) => job.workflow?.["job"] === run);
  if (!storage.coordination.shared) return known.map(partOf);
  const where = allOf([hasWord("parent", run), hasWord("state", ["active", "finishing"])]);
  const { rows } = await snapshot((tx) => tx.collection(activeJobRecords).find(where, { limit: MAX_LOOKED_AT }));
  return rows.map((record) => partOf(live.view(record)));
}

const partOf = ({ job }: ActiveJob): RunningPart => ({
  node: String(job.workflow?.["node"]),
  progress: Number(job.progress ?? 0),
  cpu: job.cpu?.current,
  mem: job.mem?.current,
});
