import { JsonText } from "../../lib/json/json-text.ts";
import type { Awaitable } from "../../lib/turns/awaitable.ts";
import type { AnyCollection, CollectionDefinition, StoredRecord } from "../../ports/storage/collection.ts";
import type { QueryContext } from "../calls/context.ts";

type Reading = Pick<QueryContext, "readAtOnce" | "tx">;

/**
 * The record of an id, for a query that reads nothing else: it needs no snapshot, and if the storage answers synchronously, so
 * does the whole call. A promise on the way through the adapters would cost as much as the read.
 */
export function readOne<T extends StoredRecord>(
  { readAtOnce, tx }: Reading,
  definition: CollectionDefinition<T>,
  id: string,
): Awaitable<T | undefined> {
  const found = readAtOnce?.(definition, id);
  return found ? found[0] : tx.collection(definition).get(id);
}

/**
 * The stored text of a record, for a query that answers the record unchanged: it is neither parsed nor serialised again.
 * Undefined = use `readOne`: the caller needs objects, or answers are checked, or there is no such record.
 */
export function readText(
  { readAtOnce, reply, config }: Pick<QueryContext, "readAtOnce" | "reply" | "config">,
  definition: AnyCollection,
  id: string,
): JsonText | undefined {
  const text = reply.takesTexts && !config.debug ? readAtOnce?.text(definition, id) : undefined;
  return text === undefined ? undefined : new JsonText(text);
}
