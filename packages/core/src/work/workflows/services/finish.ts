import { createBreath } from "../../../kernel/running/breath.ts";
import { nextTurn } from "../../../lib/turns/gather-more.ts";
import type { ActiveJob } from "../../jobs/model.ts";
import { workflowRunCollection } from "../collection.ts";
import type { RunDeps } from "./moving/orders.ts";
import type { Sessions } from "./moving/session.ts";
import { outputOf, readParts, shownWorkflow, toldMembers } from "./view.ts";

/**
 * Ends the job of a run that is over: stores state, parts and output in it; then it continues like any other job that has
 * reported its end. Idempotent.
 */
export async function finishRun(deps: RunDeps, sessions: Sessions, id: string): Promise<void> {
  const end = await endOf(deps, sessions, id);
  if (end)
    await deps.jobs.monitor.tell(id, { kind: "reported", state: "complete" }, (_unit, record) =>
      record.job.state === "active" ? end(record) : undefined,
    );
}

/** Collects the job's output before the transaction, page by page; a run that is over no longer changes. */
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
    // A retry starts with the same workflow data as this attempt.
    workflowData: record.details["workflowData"] ?? {},
  });
}
