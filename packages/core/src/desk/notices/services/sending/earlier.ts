import type { Cradle } from "../../../../kernel/container.ts";
import { byId } from "../../../../lib/by-id.ts";
import { allOf, hasWord } from "../../../../search/ast.ts";
import { noticeCollection } from "../../collection.ts";
import type { Notice } from "../../model.ts";

/** Maximum notices to read from either end. */
const MOST = 100;

/**
 * The other notices about the same problem to the same receiver, oldest first. If there are very many, those in the middle are
 * left out: only the first one, which began the thread, and the last ones, which used the receiver's recent settings, matter.
 */
export async function earlierNotices(
  { id, problem, receiver }: Notice,
  { snapshot }: Pick<Cradle, "snapshot">,
): Promise<Notice[]> {
  const where = allOf([hasWord("problem", problem), hasWord("receiver", receiver)]);
  const ends = await snapshot(async (tx) => {
    const notices = tx.collection(noticeCollection);
    const first = await notices.find(where, { sortBy: "date", limit: MOST });
    if (first.total <= MOST) return first.rows;
    const last = await notices.find(where, { sortBy: "date", descending: true, limit: MOST });
    return [...first.rows, ...last.rows];
  });
  const all = byId(ends);
  all.delete(id);
  return [...all.values()].toSorted((a, b) => a.seq - b.seq);
}
