import type { Payload } from "../../model.ts";
import { ask, change, type Draft, fail, show, type Visit, visitAll } from "../draft.ts";

/**
 * Counts the arrival of a wire at a join (docs/contract/workflows.md#join). A second arrival on the same wire counts for the next
 * activation, so that one frequent wire does not replace the others.
 */
export function arriveAtJoin(draft: Draft, id: string, { wire = "" }: Visit): undefined {
  const { graph } = draft.world;
  const wires = graph.into(id);
  const fired = { ...draft.state.joins[id] };
  // A run may begin with a join; then no wire has fired, and the join waits for none.
  if (wire === "" || wires.length === 0) return complete(draft, id);
  fired[wire] = (fired[wire] ?? 0) + 1;
  const isComplete = wires.every((each) => (fired[each.id] ?? 0) > 0);
  const rest = isComplete ? Object.entries(fired).map(([name, count]) => [name, count - 1] as const) : [];
  const left = isComplete ? Object.fromEntries(rest.filter(([, count]) => count > 0)) : fired;
  remember(draft, id, left);
  const count = Object.keys(left).length;
  if (count > 0 || !isComplete) show(draft, id, { active: true, max: wires.length, count });
  if (isComplete) complete(draft, id);
}

function remember(draft: Draft, id: string, fired: Readonly<Record<string, number>>): undefined {
  const { [id]: _before, ...others } = draft.state.joins;
  change(draft, { joins: Object.keys(fired).length > 0 ? { ...others, [id]: fired } : others });
}

function complete(draft: Draft, id: string): undefined {
  const { graph, now } = draft.world;
  const waits = draft.state.joins[id] !== undefined;
  show(draft, id, waits ? { completed: now } : { active: false, completed: now, count: graph.into(id).length });
  if (graph.from(id).length !== 1) return fail(draft, id, "Join needs exactly one output");
  ask(draft, { kind: "gather", join: id, sources: graph.into(id).map(({ source }) => source) });
}

/** Continues after a join with the output of its sources. */
export function goOnBehindJoin(draft: Draft, join: string, input: Payload): undefined {
  visitAll(draft, join, { input });
}

/** The input after a join: the outputs of its sources, as a list and merged. */
export function joined(outputs: readonly Payload[]): Payload {
  const items = outputs.flatMap(({ data }) => (data ? [data] : []));
  const combined = Object.fromEntries(items.flatMap((data) => Object.entries(data)));
  return { data: { items, combined }, files: outputs.flatMap(({ files = [] }) => files) };
}
