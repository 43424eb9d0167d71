/** What fails, and when. */
import type { DatabaseSync } from "node:sqlite";
import type { BlobStore } from "@signalbox/core";

/**
 * "statement": one statement of SQLite fails, which may be a begin, a commit or a rollback. "transaction": SQLite ends
 * the transaction with it, as a full disk does. "blob": one call of the blob store fails.
 */
export type FaultKind = "statement" | "transaction" | "blob";

export interface Injection {
  readonly kind: FaultKind;
  /** Which one fails, from 1 on; 0 = none. */
  readonly at: number;
}

/** Counts from 1 on, and throws at the one that is to fail. */
export function createSpoiler({ kind, at }: Injection) {
  const places: string[] = [];
  let isOn = false;
  const strike = (place: string): boolean => isOn && places.push(place) === at;
  return {
    places,
    turn(on: boolean): void {
      isOn = on;
    },
    statement(sql: string, database: DatabaseSync): void {
      if (kind === "blob" || !strike(sql)) return;
      if (kind === "transaction" && database.isTransaction) database.exec("rollback");
      throw Object.assign(new Error("injected"), { code: kind === "transaction" ? "SQLITE_FULL" : "SQLITE_IOERR" });
    },
    async blob(call: string): Promise<void> {
      if (kind === "blob" && strike(call)) throw Object.assign(new Error("injected"), { code: "ENOSPC" });
    },
  };
}

export type Spoiler = ReturnType<typeof createSpoiler>;

export function spoiledBlobs(inner: BlobStore, { blob }: Spoiler): BlobStore {
  const { move } = inner;
  return {
    put: async (key, content) => blob("put").then(() => inner.put(key, content)),
    get: async (key, range) => blob("get").then(() => inner.get(key, range)),
    head: async (key) => blob("head").then(() => inner.head(key)),
    delete: async (key) => blob("delete").then(() => inner.delete(key)),
    list: async (prefix, page) => blob("list").then(() => inner.list(prefix, page)),
    ...(move ? { move: async (from: string, to: string) => blob("move").then(() => move.call(inner, from, to)) } : {}),
  };
}
