import type { Collection, StoredRecord } from "../../ports/storage/collection.ts";
import { NotFoundError } from "../errors/errors.ts";

/** Changes a record that may be gone, and returns the result; undefined if there is none. Reads it once. */
export async function updateIfThere<T extends StoredRecord>(
  records: Pick<Collection<T>, "update">,
  id: string,
  change: (stored: T) => T,
): Promise<T | undefined> {
  try {
    return await records.update(id, change);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    return undefined;
  }
}

/** Stores a record, in place of an earlier one with its id. */
export async function putRecord<T extends StoredRecord>(
  records: Pick<Collection<T>, "get" | "insert" | "update">,
  record: T,
): Promise<void> {
  if (await records.get(record.id)) await records.update(record.id, () => record);
  else await records.insert(record);
}
