import { DuplicateError, SignalboxError, storageErrorIn } from "../../../../kernel/errors/errors.ts";
import type { Unit } from "../../../../kernel/transactions/unit-of-work.ts";
import { byId } from "../../../../lib/by-id.ts";
import type { Logger } from "../../../../ports/logger.ts";
import type { AnyCollection, StoredRecord } from "../../../../ports/storage/collection.ts";
import type { WriteTx } from "../../../../ports/storage/storage.ts";
import type { TransferDeps } from "../../running/deps.ts";
import type { Tally } from "../tally.ts";

/** Where values of one kind are stored. */
export interface Sink<T> {
  /** Name in the report: "tags", "jobs". */
  readonly what: string;
  /** Stores the values; of several with the same id, the last one wins. */
  write(unit: Unit, values: readonly T[]): Promise<void>;
}

interface Entry {
  readonly line: number;
  readonly value: unknown;
}

/** Most values of one transaction, and most characters of them. */
const MOST_VALUES = 100;
const MOST_SIZE = 262_144;

/** Stores values in batches, in the order of the file. A refused value does not prevent the others from being stored. */
export interface Batch {
  add<T>(sink: Sink<T>, value: T, at: { readonly line: number; readonly size: number }): Promise<void>;
  flush(): Promise<void>;
}

export function createBatch({ log, transact }: Pick<TransferDeps, "log" | "transact">, tally: Tally): Batch {
  let sink: Sink<unknown> | undefined;
  let entries: Entry[] = [];
  let size = 0;

  const writeAll = (target: Sink<unknown>, some: readonly Entry[]): Promise<string | undefined> =>
    attempt(log, () =>
      transact((unit) =>
        target.write(
          unit,
          some.map(({ value }) => value),
        ),
      ),
    );

  /** Stores values one by one, to find the line of a faulty record. */
  async function writeEach(target: Sink<unknown>, some: readonly Entry[]): Promise<void> {
    for (const entry of some) {
      const reason = await writeAll(target, [entry]);
      if (reason === undefined) tally.took(target.what);
      else tally.fault(entry.line, `${target.what}: ${reason}`);
    }
  }

  async function flush(): Promise<void> {
    const [target, batch] = [sink, entries];
    [entries, size] = [[], 0];
    if (!target || batch.length === 0) return;
    if ((await writeAll(target, batch)) === undefined) tally.took(target.what, batch.length);
    else await writeEach(target, batch);
    tally.line = Math.max(tally.line, batch.at(-1)?.line ?? 0);
  }

  return {
    async add(target, value, at) {
      if (sink !== target) await flush();
      sink = target as Sink<unknown>;
      entries.push({ line: at.line, value });
      size += at.size;
      if (entries.length >= MOST_VALUES || size >= MOST_SIZE) await flush();
    },
    flush,
  };
}

/**
 * Returns the reason if the work was refused; undefined = it is done. Rejects when the storage itself fails, since nothing more
 * can be stored then.
 */
async function attempt(log: Logger, work: () => Promise<void>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (storageErrorIn(error)) throw error;
    if (error instanceof DuplicateError) return "its id or number is taken by another record";
    if (error instanceof SignalboxError) return error.description;
    log.warn({ error }, "Records of an import could not be stored");
    return "it cannot be stored";
  }
}

/** Replaces stored records with the same ids; the new ones become the last of their collection. */
export async function putRecords(
  tx: WriteTx,
  collection: AnyCollection,
  records: readonly StoredRecord[],
): Promise<void> {
  const last = byId(records);
  const stored = tx.collection(collection);
  await stored.deleteMany([...last.keys()]);
  await stored.insertMany([...last.values()]);
}

export const recordSink = (what: string, collection: AnyCollection): Sink<StoredRecord> => ({
  what,
  write: ({ tx }, records) => putRecords(tx, collection, records),
});
