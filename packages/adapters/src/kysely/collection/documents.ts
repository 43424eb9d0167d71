import { setImmediate as inNextTurn } from "node:timers";
import type { StoredRecord } from "@signalbox/core/storage";
import type { SqlRow } from "../dialect.ts";

/**
 * The record of a row with the columns `id` and `doc`. The id comes from the row, so a document copied from another row cannot
 * pass for that record; a sealed value is bound to the id of its row.
 */
export function recordOf<T extends StoredRecord>({ id, doc }: SqlRow): T {
  const record: T = JSON.parse(doc as string);
  return record.id === id ? record : { ...record, id: id as string };
}

/** The JSON text of the same record; parsed only if it does not contain the id of the row. */
export function textOf(row: SqlRow): string {
  const doc = row["doc"] as string;
  return doc.includes(`"id":${JSON.stringify(row["id"])}`) ? doc : JSON.stringify(recordOf(row));
}

/** Characters of a document whose parsing blocks the event loop for milliseconds. */
const LONG = 131_072;
/** Whether a document should be parsed in its own turn of the event loop. */
export const isLong = (doc: unknown): boolean => typeof doc === "string" && doc.length > LONG;
export const nextTurn = (): Promise<void> => new Promise((resolve) => inNextTurn(resolve));
