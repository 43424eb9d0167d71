import type { ActionNode } from "../../../graphs/model.ts";
import { abort, change, type Draft, fail, noteStart, show, takeNumber, type Visit, visitAll } from "../draft.ts";
import { runController } from "./controllers.ts";
import { launch } from "./launches.ts";

/** Runs one node (docs/contract/workflows.md#nodes). */
export function runNode(draft: Draft, visit: Visit): undefined {
  const { graph } = draft.world;
  const node = graph.node(visit.node);
  if (!node || node.type === "limit" || node.type === "note") return;
  noteStart(draft, node);
  switch (node.type) {
    case "trigger":
      return runTrigger(draft, visit);
    case "event":
    case "job":
      return launch(draft, { node: node.id, arrival: visit.arrival });
    case "action":
      return runAction(draft, node, visit.condition ?? "complete");
    case "controller":
      return runController(draft, node.id, node.data, visit);
    default:
      return abort(draft, `Unknown workflow node type: ${String((node as { type: unknown }).type)}`);
  }
}

function runTrigger(draft: Draft, { node: id, arrival }: Visit): undefined {
  const { triggers, now } = draft.world;
  if (!triggers.has(id)) return abort(draft, `Could not find linked trigger definition: ${id}`);
  show(draft, id, { completed: now });
  if (visitAll(draft, id, arrival) === 0) fail(draft, id, "Nothing comes after the trigger");
}

/** Runs an action outside of any sub-job; its texts describe the workflow's own job. */
function runAction(draft: Draft, { id, data }: ActionNode, condition: string): undefined {
  if (!data.enabled || !draft.world.allows(condition)) return;
  // The workflow itself cannot be suspended.
  if (data.type === "suspend") return fail(draft, id, "Suspend needs a wire from an event or job node");
  const number = takeNumber(draft);
  change(draft, { acting: draft.state.acting + 1, acts: [...draft.state.acts, number] });
  show(draft, id, { active: true });
  draft.orders.push({ kind: "act", node: id, condition, number });
}
