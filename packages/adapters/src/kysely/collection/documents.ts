import { setImmediate as inNextTurn } from "node:timers";
import type { StoredRecord } from "@signalbox/core/storage";
import type { SqlRow } from "../dialect.ts";

/**
 * The record of a row with the columns `id` and `doc`. Its id is the row's own: a document that was copied from another
 * row must not pass for that one: a sealed value is bound to the id of its row.
 */
export function recordOf<T extends StoredRecord>({ id, doc }: SqlRow): T {
  const record: T = JSON.parse(doc as string);
  return record.id === id ? record : { ...record, id: id as string };
}

/** The JSON text of the same record; parsed only where the id of the row does not stand in it. */
export function textOf(row: SqlRow): string {
  const doc = row["doc"] as string;
  return doc.includes(`"id":${JSON.stringify(row["id"])}`) ? doc : JSON.stringify(recordOf(row));
}

/** Characters of a document that takes the loop for milliseconds to be parsed. */
const LONG = 131_072;
/** Whether a document should be parsed in a turn of the loop of its own. */
export const isLong = (doc: unknown): boolean => typeof doc === "string" && doc.length > LONG;
export const nextTurn = (): Promise<void> => new Promise((resolve) => inNextTurn(resolve));
