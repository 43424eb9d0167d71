import { invocationRecords } from "../../../fleet/alerts/records.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import { allOf, anyOf, atLeast, hasWord, type SearchNode } from "../../../search/ast.ts";

/** Seconds after the end of a problem within which a further firing still belongs to it, as in notices. */
const AGAIN_SEC = 300;

/** Whether any firing linked to the ticket is live, or was until shortly before `now`. */
export async function isGoingOn(tx: ReadTx, ticket: string, now = Number.POSITIVE_INFINITY): Promise<boolean> {
  const recent = atLeast("end", now - AGAIN_SEC);
  const live = hasWord("active", "true");
  const linked = hasWord("tickets", ticket);
  const going: SearchNode = Number.isFinite(now) ? anyOf([live, recent]) : live;
  const { total } = await tx.collection(invocationRecords).find(allOf([linked, going]), { limit: 1 });
  return total > 0;
}
