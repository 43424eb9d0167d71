import { type Awaitable, andThen } from "../../lib/turns/awaitable.ts";
import type { CollectionDefinition, StoredRecord } from "../../ports/storage/collection.ts";
import type { WriteTx } from "../../ports/storage/storage.ts";
import { everything } from "../../search/ast.ts";
import { type Condition, requireRevision } from "../../wire/fields/revision.ts";
import { requireTenant } from "../../wire/tenant.ts";
import { DomainError, DuplicateError, NotFoundError } from "../errors/errors.ts";
import type { DefinitionReader } from "./definitions.ts";

/** A collection of definitions and the words of its errors. */
export interface Listed<T extends StoredRecord> {
  readonly collection: CollectionDefinition<T>;
  /** Wire code: "web_hook". */
  readonly code: string;
  /** "web hook", as in "Failed to update web hook: …". */
  readonly thing: string;
  /** Maximum number of records; absent = unlimited. */
  readonly most?: number;
}

/** Reads for an answer; an unknown id is refused with `missing(id)`, or "Failed to locate <thing>: <id>". */
export function findListed<T extends StoredRecord>(
  definitions: DefinitionReader,
  { collection, thing }: Pick<Listed<T>, "collection" | "thing">,
  id: string,
  missing = (unknown: string): string => `Failed to locate ${thing}: ${unknown}`,
): Awaitable<T> {
  const found = andThen(definitions.get(collection, id), (record) => record ?? definitions.newest(collection, id));
  return andThen(found, (record) => {
    if (!record) throw new NotFoundError(missing(id));
    return record;
  });
}

/**
 * Inserts; a taken id is refused with `taken(id)`, or "That <Noun> ID already exists: <id>"
 * (docs/contract/errors.md#codes-of-resources), a record beyond the limit with "There are <n> <thing>s already; …".
 */
export async function insertListed<T extends StoredRecord>(
  tx: WriteTx,
  { collection, code, thing, most }: Listed<T>,
  record: T,
  taken = (id: string): string => `That ${collection.noun} ID already exists: ${id}`,
): Promise<void> {
  requireTenant(record);
  if (most !== undefined) {
    const { total } = await tx.collection(collection).find(everything, { limit: 1 });
    if (total >= most)
      throw new DomainError(code, "conflict", `There are ${total} ${thing}s already; delete some first.`);
  }
  try {
    await tx.collection(collection).insert(record);
  } catch (error) {
    if (!(error instanceof DuplicateError)) throw error;
    throw new DomainError(code, "conflict", taken(record.id), { cause: error });
  }
}

/**
 * Updates the record that `sent` names; an unknown id is refused with "Failed to update <thing>: Error: Item not
 * found", a stale `sent.if_revision` with "<Noun> out of date: …".
 */
export async function updateListed<T extends StoredRecord>(
  tx: WriteTx,
  { collection, code, thing }: Listed<T>,
  sent: { readonly id: string } & Condition,
  change: (stored: T) => T,
): Promise<T> {
  try {
    return await tx.collection(collection).update(sent.id, (stored) => {
      requireRevision({ code, noun: collection.noun }, stored, sent);
      const changed = change(stored);
      requireTenant(changed);
      return changed;
    });
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    throw new DomainError(code, "unknown", `Failed to update ${thing}: Error: Item not found`, { cause: error });
  }
}

/** Deletes and returns the deleted record; an unknown id is refused like in `updateListed`. */
export async function deleteListed<T extends StoredRecord>(
  tx: WriteTx,
  { collection, code, thing }: Listed<T>,
  id: string,
): Promise<T> {
  const records = tx.collection(collection);
  const record = await records.get(id);
  if (!record || !(await records.delete(id)))
    throw new DomainError(code, "unknown", `Failed to delete ${thing}: Error: Item not found`);
  return record;
}
