import { abort, change, type Draft, isClosed, type Visit } from "../draft.ts";
import { runsJobs } from "../graph/graph-index.ts";
import { countLeft, leave } from "./left.ts";
import { runNode } from "./nodes.ts";
import { LAUNCHED_IN_A_STEP } from "./portions.ts";

/** Nodes without a job or an action that are run in one step; the others are left to later ones. */
const VISITS_IN_A_STEP = 100;
/** Nodes in a row without a job, an action or a wait, beside twice the nodes of the graph: more are a circle. */
const MIN_VISITS = 1_000;
/** Nodes that wait at a time, as many as a graph has connections: more are the same ones again and again. */
const MAX_WAITING = 20_000;

/**
 * Runs the nodes that were reached as far as one step goes. Jobs and actions come last, after all that was left to be
 * run: a circle is noticed before anything that it asks for is begun.
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
