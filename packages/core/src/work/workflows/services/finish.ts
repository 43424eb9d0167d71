import { createBreath } from "../../../kernel/running/breath.ts";
import { nextTurn } from "../../../lib/turns/gather-more.ts";
import type { ActiveJob } from "../../jobs/model.ts";
import { workflowRunCollection } from "../collection.ts";
import type { RunDeps } from "./moving/orders.ts";
import type { Sessions } from "./moving/session.ts";
import { outputOf, readParts, shownWorkflow, toldMembers } from "./view.ts";

/**
 * Ends the job of a run that is over: it holds state, parts and output from now on, and goes on like any other job that
 * has reported its end. Nothing happens the second time.
 */
export async function finishRun(deps: RunDeps, sessions: Sessions, id: string): Promise<void> {
  const end = await endOf(deps, sessions, id);
  if (end)
    await deps.jobs.monitor.tell(id, { kind: "reported", state: "complete" }, (_unit, record) =>
      record.job.state === "active" ? end(record) : undefined,
    );
}

/** Gathers the job's output, piece by piece and before its transaction: a run that is over does not change. */
async function endOf(
  deps: RunDeps,
  sessions: Sessions,
  id: string,
): Promise<((job: ActiveJob) => ActiveJob) | undefined> {
  const known = await deps.jobs.desk.read(id);
  const run = await deps.snapshot((tx) => tx.collection(workflowRunCollection).get(id));
  if (!known || !run?.result) return undefined;
  const { result } = run;
  const { aborted, told, workflowData } = run.state;
  const graph = known.job.workflow ?? {};
  const rows = await deps.snapshot((tx) => sessions.rows(tx, run));
  const parts = await readParts(deps, { path: id, breathe: createBreath(deps.clock, deps.jobs.stopping) });
  await nextTurn();
  const workflow = { ...shownWorkflow(graph, rows, parts), ...(aborted === undefined ? {} : { aborted }) };
  await nextTurn();
  const output = outputOf((graph["nodes"] ?? []) as readonly { readonly id: string }[], parts, workflowData);
  await nextTurn();
  const html = told.html === undefined ? {} : { html: told.html };
  return (record) => ({
    ...record,
    job: { ...record.job, ...toldMembers(record, run), ...result, progress: 1, workflow },
    details: { ...record.details, workflowData, ...output, ...html },
    // Another attempt begins with it, as this one did.
    workflowData: record.details["workflowData"] ?? {},
  });
}
