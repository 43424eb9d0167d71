import type { Cradle } from "../../../../kernel/container.ts";
import { allOf, hasWord } from "../../../../search/ast.ts";
import { noticeCollection } from "../../collection.ts";
import type { Notice } from "../../model.ts";

const MOST = 100;

/** The other notices about the same problem to the same receiver, the first one first. */
export async function earlierNotices(
  { id, problem, receiver }: Notice,
  { snapshot }: Pick<Cradle, "snapshot">,
): Promise<Notice[]> {
  const where = allOf([hasWord("problem", problem), hasWord("receiver", receiver)]);
  const { rows } = await snapshot((tx) => tx.collection(noticeCollection).find(where, { sortBy: "date", limit: MOST }));
  return rows.filter((notice) => notice.id !== id).toSorted((a, b) => a.seq - b.seq);
}
