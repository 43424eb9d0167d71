import type { ActiveJob } from "../../jobs/model.ts";
import { workflowRunCollection } from "../collection.ts";
import type { RunDeps } from "./runs.ts";
import type { Sessions } from "./session.ts";
import { outputOf, partsOf, shownWorkflow, toldMembers } from "./view.ts";

/**
 * Ends the job of a run that is over: it holds state, parts and output from now on, and goes on like any other job that
 * has reported its end. Nothing happens the second time.
 */
export async function finishRun(deps: RunDeps, sessions: Sessions, id: string): Promise<void> {
  await deps.jobs.monitor.tell(id, { kind: "reported", state: "complete" }, async ({ tx }, record) => {
    const run = await tx.collection(workflowRunCollection).get(id);
    if (!run?.result || record.job.state !== "active") return undefined;
    const parts = await partsOf(tx, id);
    const graph = record.job.workflow ?? {};
    const workflow = shownWorkflow(graph, await sessions.rows(tx, run), parts);
    const { aborted, told, workflowData } = run.state;
    const nodes = (graph["nodes"] ?? []) as readonly { readonly id: string }[];
    const { workflowData: _shared, ...details } = record.details;
    const ended: ActiveJob = {
      ...record,
      job: {
        ...record.job,
        ...toldMembers(record, run),
        ...run.result,
        progress: 1,
        workflow: { ...workflow, ...(aborted === undefined ? {} : { aborted }) },
      },
      details: {
        ...details,
        workflowData,
        ...outputOf(nodes, parts, workflowData),
        ...(told.html === undefined ? {} : { html: told.html }),
      },
    };
    return ended;
  });
}
