import type { Collection, Page, StoredRecord } from "../../ports/storage/collection.ts";
import type { SearchNode } from "../../search/ast.ts";

/** Deletes the records that a search finds, on one page of it, and returns their number. */
export async function deleteFound<T extends StoredRecord>(
  records: Pick<Collection<T>, "deleteMany" | "find">,
  where: SearchNode,
  page?: Page,
): Promise<number> {
  const { rows } = await records.find(where, page);
  await records.deleteMany(rows.map(({ id }) => id));
  return rows.length;
}
