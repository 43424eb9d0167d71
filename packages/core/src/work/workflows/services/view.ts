import type { Cradle } from "../../../kernel/container.ts";
import type { ReadTx } from "../../../ports/storage.ts";
import type { ActiveJob } from "../../jobs/model.ts";
import { beneath, workflowPartCollection, workflowRunCollection } from "../collection.ts";
import type { NodeRow, Stub, WorkflowPart, WorkflowRun } from "../model.ts";
import { mergeAll } from "../rules/merge-data.ts";
import type { Sessions } from "./session.ts";

type Members = Readonly<Record<string, unknown>>;

const PAGE = 200;

/** All sub-jobs of a run that have ended, in the order of their ends. */
async function partsOf(tx: ReadTx, run: string): Promise<WorkflowPart[]> {
  const all: WorkflowPart[] = [];
  for (let after: string | undefined; ; after = all.at(-1)?.id) {
    const rows = await pageOf(tx, run, after);
    all.push(...rows);
    if (rows.length < PAGE) return inOrder(all);
  }
}

/** Ended parts, read page by page in snapshots of their own, with turns of others between: for runs that are over. */
export async function readParts(
  { snapshot }: Pick<Cradle, "snapshot">,
  { path, breathe }: { readonly path: string; readonly breathe: () => Promise<void> },
): Promise<WorkflowPart[]> {
  const all: WorkflowPart[] = [];
  for (let after: string | undefined; ; after = all.at(-1)?.id) {
    const rows = await snapshot((tx) => pageOf(tx, path, after));
    all.push(...rows);
    await breathe();
    if (rows.length < PAGE) return inOrder(all);
  }
}

async function pageOf(tx: ReadTx, path: string, after: string | undefined): Promise<readonly WorkflowPart[]> {
  const page = { sortBy: "id", limit: PAGE } as const;
  return (await tx.collection(workflowPartCollection).find(beneath(path, after), page)).rows;
}

const inOrder = (parts: WorkflowPart[]): WorkflowPart[] => parts.sort((one, other) => one.completed - other.completed);

/** The member `workflow` of a job as it is shown (docs/contract/workflows.md#state). */
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

/** A running workflow's job, with state and jobs from its rows. */
export async function viewOf(sessions: Sessions, tx: ReadTx, record: ActiveJob): Promise<ActiveJob> {
  const run = await tx.collection(workflowRunCollection).get(record.id);
  if (!run) return record;
  const rows = await sessions.rows(tx, run);
  const workflow = shownWorkflow(record.job.workflow ?? {}, rows, await partsOf(tx, record.id));
  const { told, workflowData } = run.state;
  return {
    ...record,
    job: { ...record.job, ...toldMembers(record, run), workflow: { ...workflow, ...abortedOf(run) } },
    details: { ...record.details, workflowData, ...(told.html === undefined ? {} : { html: told.html }) },
  };
}

const abortedOf = ({ state }: WorkflowRun): Members => (state.aborted === undefined ? {} : { aborted: state.aborted });

/** Members that sub-jobs hand up to the workflow's job: tags, and the last table. */
export function toldMembers({ job }: ActiveJob, { state: { told } }: WorkflowRun): Members {
  const tags = [...new Set([...(job.tags ?? []), ...told.tags])];
  return { tags, ...(told.table === undefined ? {} : { table: told.table }) };
}

/** Output of a workflow that has ended: that of its sub-jobs by the order of nodes, then their shared data. */
export function outputOf(nodes: readonly { readonly id: string }[], parts: readonly WorkflowPart[], shared: Members) {
  const counted = parts.filter(({ stub }) => !stub.retried);
  const byNode = Map.groupBy(counted, ({ node }) => node);
  const ordered = nodes.flatMap(({ id }) => byNode.get(id) ?? []);
  const data = mergeAll(ordered.map((part) => part.data));
  return { data: { ...data, ...shared }, files: ordered.flatMap(({ stub }) => [...stub.files]) };
}
