import type { Cradle } from "../../../kernel/container.ts";
import { pagesById } from "../../../kernel/searches/pages-by-id.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import type { ActiveJob } from "../../jobs/model.ts";
import { beneath, workflowPartCollection, workflowRunCollection } from "../collection.ts";
import type { NodeRow, Stub, WorkflowPart, WorkflowRun } from "../model.ts";
import { mergeAll } from "../rules/merge-data.ts";
import type { Sessions } from "./moving/session.ts";

type Members = Readonly<Record<string, unknown>>;

const PAGE = 200;

/** Ended sub-jobs below a path, in the order of their ends; yields between pages if `breathe` is given. */
async function partsOf(
  read: Parameters<typeof pagesById>[0],
  path: string,
  breathe?: () => Promise<void>,
): Promise<WorkflowPart[]> {
  const all: WorkflowPart[] = [];
  for await (const rows of pagesById(read, workflowPartCollection, { where: beneath(path), size: PAGE })) {
    all.push(...rows);
    await breathe?.();
  }
  return all.sort((one, other) => one.completed - other.completed);
}

/** Ended sub-jobs, read in separate snapshots: for runs that are over. */
export const readParts = (
  { snapshot }: Pick<Cradle, "snapshot">,
  { path, breathe }: { readonly path: string; readonly breathe: () => Promise<void> },
): Promise<WorkflowPart[]> => partsOf(snapshot, path, breathe);

/** The member `workflow` of a job as callers see it (docs/contract/workflows.md#state). */
export function shownWorkflow(
  graph: Members,
  rows: ReadonlyMap<string, NodeRow>,
  parts: readonly WorkflowPart[],
): Members {
  const state = [...rows].flatMap(([name, { shown }]) =>
    Object.keys(shown).length > 0 ? [[name, shown] as const] : [],
  );
  const jobs = new Map<string, Stub[]>();
  for (const { node, stub } of parts) {
    const list = jobs.get(node);
    if (list) list.push(stub);
    else jobs.set(node, [stub]);
  }
  return { ...graph, state: Object.fromEntries(state), jobs: Object.fromEntries(jobs) };
}

/** The job of a running workflow, with state and sub-jobs from its rows. */
export async function viewOf(sessions: Sessions, tx: ReadTx, record: ActiveJob): Promise<ActiveJob> {
  const run = await tx.collection(workflowRunCollection).get(record.id);
  if (!run) return record;
  const rows = await sessions.rows(tx, run);
  const workflow = shownWorkflow(record.job.workflow ?? {}, rows, await partsOf((work) => work(tx), record.id));
  const { told, workflowData } = run.state;
  return {
    ...record,
    job: { ...record.job, ...toldMembers(record, run), workflow: { ...workflow, ...abortedOf(run) } },
    details: { ...record.details, workflowData, ...(told.html === undefined ? {} : { html: told.html }) },
  };
}

const abortedOf = ({ state }: WorkflowRun): Members => (state.aborted === undefined ? {} : { aborted: state.aborted });

/** Members that sub-jobs pass up to the workflow's job: tags, and the last table. */
export function toldMembers({ job }: ActiveJob, { state: { told } }: WorkflowRun): Members {
  const tags = [...new Set([...(job.tags ?? []), ...told.tags])];
  return { tags, ...(told.table === undefined ? {} : { table: told.table }) };
}

/** Output of an ended workflow: the output of its sub-jobs in the order of nodes, then their shared data. */
export function outputOf(nodes: readonly { readonly id: string }[], parts: readonly WorkflowPart[], shared: Members) {
  const counted = parts.filter(({ stub }) => !stub.retried);
  const byNode = Map.groupBy(counted, ({ node }) => node);
  const ordered = nodes.flatMap(({ id }) => byNode.get(id) ?? []);
  const data = mergeAll(ordered.map((part) => part.data));
  return { data: { ...data, ...shared }, files: ordered.flatMap(({ stub }) => [...stub.files]) };
}
