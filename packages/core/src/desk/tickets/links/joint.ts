import { invocationRecords } from "../../../fleet/alerts/records.ts";
import type { ReadTx } from "../../../ports/storage.ts";
import type { SearchNode } from "../../../search/ast.ts";

/** Seconds within which a further firing belongs to the problem that has ended, as it does in notices. */
const AGAIN_SEC = 300;

/** Whether firings that a ticket is linked to are live, or were until a short while before `now`. */
export async function isGoingOn(tx: ReadTx, ticket: string, now = Number.POSITIVE_INFINITY): Promise<boolean> {
  const recent: SearchNode = { kind: "compare", field: "end", operator: "gte", value: now - AGAIN_SEC };
  const live: SearchNode = { kind: "term", field: "active", words: ["true"] };
  const linked: SearchNode = { kind: "term", field: "tickets", words: [ticket] };
  const going: SearchNode = Number.isFinite(now) ? { kind: "or", nodes: [live, recent] } : live;
  const { total } = await tx.collection(invocationRecords).find({ kind: "and", nodes: [linked, going] }, { limit: 1 });
  return total > 0;
}
