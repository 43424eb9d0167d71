import { abort, change, type Draft, isClosed, type Visit } from "../draft.ts";
import { runsJobs } from "../graph/graph-index.ts";
import { countLeft, leave } from "./left.ts";
import { runNode } from "./nodes.ts";
import { LAUNCHED_IN_A_STEP } from "./portions.ts";

/** Most nodes without a job or an action that one step runs; the others are left to later steps. */
const VISITS_IN_A_STEP = 100;
/**
 * Nodes that may run in a row without a job, an action or a wait, in addition to twice the number of the graph's nodes: more than
 * that is a cycle.
 */
const MIN_VISITS = 1_000;
/** Most nodes that wait at a time, as many as a graph may have wires: more can only be repetitions. */
const MAX_WAITING = 20_000;

/**
 * Runs the reached nodes as far as one step goes. Jobs and actions come last, after all other nodes that were left, so that a
 * cycle is detected before anything in it is started.
 */
export function visitWaiting(draft: Draft): undefined {
  const { waiting } = draft;
  const starts: Visit[] = [];
  let done = 0;
  for (let room = VISITS_IN_A_STEP; done < waiting.length && room > 0 && !isClosed(draft); done++) {
    const visit = waiting[done] as Visit;
    if (isStart(draft, visit)) {
      starts.push(visit);
      continue;
    }
    visitOne(draft, visit, waiting.length - done + starts.length);
    room -= 1;
  }
  leave(draft, waiting.slice(done), "first");
  const room = isClosed(draft) || draft.state.left.some(({ isFirst }) => isFirst) ? 0 : LAUNCHED_IN_A_STEP;
  for (const visit of starts.slice(0, room)) if (!isClosed(draft)) visitOne(draft, visit, starts.length);
  leave(draft, starts.slice(room), "last");
}

function isStart({ world: { graph } }: Draft, visit: Visit): boolean {
  const node = graph.node(visit.node);
  return node?.type === "action" || runsJobs(node);
}

function visitOne(draft: Draft, visit: Visit, waiting: number): undefined {
  const { state, world } = draft;
  const most = MIN_VISITS + 2 * world.graph.nodes.length;
  if (state.visits >= most || waiting + countLeft(state.left) > MAX_WAITING)
    return abort(draft, `Workflow runs in a circle without a job (Node #${visit.node})`);
  change(draft, { visits: state.visits + 1 });
  runNode(draft, visit);
}
