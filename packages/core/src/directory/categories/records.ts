import { readable } from "../../ports/storage/collection.ts";
import type { ReadTx, WriteTx } from "../../ports/storage/storage.ts";
import { categoryCollection } from "./collection.ts";
import { categoryLock } from "./rules.ts";

/** Categories, for other domains to read. */
export const categoryRecords = readable(categoryCollection);

/** The text of the refusal for a category that does not exist; undefined for one that does. */
export const categoryFault = async (tx: ReadTx, id: string): Promise<string | undefined> =>
  (await tx.collection(categoryRecords).get(id)) ? undefined : `Category not found: ${id}`;

/** Like `categoryFault`, for a record that names the category: an existing one is not deleted until the transaction ends. */
export async function lockCategory(tx: WriteTx, id: string): Promise<string | undefined> {
  await tx.lock(categoryLock(id));
  return categoryFault(tx, id);
}
