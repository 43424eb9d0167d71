import type { Arrival } from "../../model.ts";
import { abort, change, type Draft, isClosed, rowOf, setRow, takeNumber } from "../draft.ts";
import { runsJobs } from "../graph/graph-index.ts";

export interface Launch {
  readonly node: string;
  readonly arrival: Arrival;
  readonly activation?: string;
  readonly targets?: readonly string[];
  /** Unix seconds. */
  readonly until?: number;
}

export const tooMany = (maxJobs: number): string => `Maximum jobs per workflow reached (${maxJobs})`;

/** Orders one job of a node, or the stored job that replaces it. Exceeding the bound on jobs aborts the workflow. */
export function launch(draft: Draft, { node: id, arrival, activation, ...rest }: Launch): undefined {
  const { graph, maxJobs } = draft.world;
  if (isClosed(draft)) return;
  if (draft.state.jobs >= maxJobs) return abort(draft, tooMany(maxJobs));
  const node = graph.node(id);
  if (!runsJobs(node)) return;
  change(draft, { jobs: draft.state.jobs + 1, running: draft.state.running + 1 });
  setRow(draft, id, { launched: rowOf(draft, id).launched + 1 });
  const { replay } = node.data;
  if (replay) draft.orders.push({ kind: "replay", node: id, job: replay, activation, number: takeNumber(draft) });
  else draft.orders.push({ kind: "launch", node: id, arrival, activation, ...rest });
}
