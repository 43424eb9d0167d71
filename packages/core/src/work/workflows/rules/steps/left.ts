import type { Arrival, Kept, Left } from "../../model.ts";
import { change, type Draft, isClosed, takeNumber, type Visit } from "../draft.ts";
import { inPieces, LAUNCHED_IN_A_STEP, pieceKey } from "./portions.ts";

/** Leaves reached nodes to later steps, so that each transaction stays short. */
export function leave(draft: Draft, visits: readonly Visit[], place: "first" | "last"): undefined {
  if (visits.length === 0 || isClosed(draft)) return;
  const ways = new Map<Arrival, { readonly number: number; readonly job: Visit["job"] }>();
  // Nodes that were reached in the same way share one arrival, which may be large.
  for (const { arrival, job } of visits) if (!ways.has(arrival)) ways.set(arrival, { number: ways.size, job });
  const keptVisits = visits.map(({ node, wire, condition, arrival }) => ({
    node,
    wire,
    condition,
    way: ways.get(arrival)?.number ?? 0,
  }));
  const pieces = inPieces(keptVisits, (part) => ({ visits: part }));
  const key = `left:${takeNumber(draft)}`;
  const kept = { ways: [...ways].map(([arrival, { job }]) => ({ arrival, job })) };
  const { left } = draft.state;
  const isFirst = place === "first";
  const entry = { key, pieces: pieces.length, done: 0, isFirst };
  change(draft, { left: isFirst ? [entry, ...left] : [...left, entry] });
  draft.orders.push({ kind: "keep", key, kept, pieces });
}

/** Continues with the next nodes that were left. */
export function takeLeft(draft: Draft, { ways = [], visits = [] }: Kept): undefined {
  const [first, ...others] = draft.state.left;
  if (!first) return;
  for (const { node, wire, condition, way } of visits)
    draft.waiting.push({ node, wire, condition, arrival: ways[way]?.arrival ?? {}, job: ways[way]?.job });
  const rest = { ...first, done: first.done + 1 };
  const isLast = rest.done === rest.pieces;
  change(draft, { left: isLast ? others : [rest, ...others] });
  draft.orders.push({ kind: "unkeep", key: nextKey(first) });
  if (isLast) draft.orders.push({ kind: "unkeep", key: first.key });
}

/** Key under which the next piece is stored. */
export const nextKey = ({ key, done }: Left): string => pieceKey(key, done * LAUNCHED_IN_A_STEP);

/** Approximate number of nodes that are left: every piece counts as full. */
export const countLeft = (left: readonly Left[]): number =>
  left.reduce((sum, { pieces, done }) => sum + (pieces - done) * LAUNCHED_IN_A_STEP, 0);
