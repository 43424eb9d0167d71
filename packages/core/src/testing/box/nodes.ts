import type { Storage } from "../../ports/storage/storage.ts";
import { activeJobCollection } from "../../work/jobs/collection.ts";
import type { NodeState } from "../../work/workflows/model.ts";
import type { Runs, TestRun } from "./runs.ts";

/** State and jobs of one node of a workflow. */
export interface TestNode {
  /** State as in `workflow.state`: `started`, `completed`, `count`, `error` … */
  readonly state: NodeState;
  /** Its jobs in order of launch, including attempts that were retried. */
  readonly runs: readonly TestRun[];
}

interface Shown {
  readonly nodes: readonly { readonly id: string }[];
  readonly state?: Readonly<Record<string, NodeState>>;
  readonly jobs?: Readonly<Record<string, readonly { readonly id: string }[]>>;
}

/** Larger than the number of jobs of one workflow in any test. */
const MAX_RUNNING = 10_000;

export async function nodesOf(
  { job }: Pick<Runs, "job">,
  storage: Pick<Storage, "read">,
  id: string,
): Promise<Readonly<Record<string, TestNode>>> {
  const { nodes, state = {}, jobs = {} } = (await job(id)).workflow as unknown as Shown;
  const parts = { kind: "term", field: "parent", words: [id] } as const;
  const { rows } = await storage.read((tx) =>
    tx.collection(activeJobCollection).find(parts, { sortBy: "id", limit: MAX_RUNNING }),
  );
  const running = Map.groupBy(rows, (row) => String(row.job.workflow?.["node"]));
  const reached = nodes
    .filter((node) => state[node.id] !== undefined)
    .sort((one, other) => (state[one.id]?.started ?? 0) - (state[other.id]?.started ?? 0));
  const entries = reached.map(async (node): Promise<[string, TestNode]> => {
    const ids = [...(jobs[node.id] ?? []), ...(running.get(node.id) ?? [])].map((each) => each.id);
    const runs = await Promise.all([...new Set(ids)].map(job));
    return [node.id, { state: state[node.id] ?? {}, runs: runs.sort((one, other) => one.started - other.started) }];
  });
  return Object.fromEntries(await Promise.all(entries));
}
