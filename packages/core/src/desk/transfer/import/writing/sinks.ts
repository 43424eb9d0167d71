import type { TakenRow, TransferTable } from "../../../../kernel/plugins/transfer.ts";
import type { AnyCollection, StoredRecord } from "../../../../ports/storage/collection.ts";
import type { WriteTx } from "../../../../ports/storage/storage.ts";
import type { TimelineEntry } from "../../../../ports/storage/timeline.ts";
import { putRecords, recordSink, type Sink } from "./batch.ts";

type Members = Readonly<Record<string, unknown>>;

/** Sinks, one for each kind of value: the batch writes the values of a sink together. */
export interface Sinks {
  records(what: string, collection: AnyCollection): Sink<StoredRecord>;
  rows(index: string, table: TransferTable, collection: AnyCollection): Sink<Members>;
  readonly points: Sink<TimelineEntry>;
}

export function createSinks(): Sinks {
  const known = new Map<string, Sink<never>>();
  const once = <T>(name: string, make: () => Sink<T>): Sink<T> => {
    const sink = (known.get(name) as Sink<T> | undefined) ?? make();
    known.set(name, sink as unknown as Sink<never>);
    return sink;
  };
  return {
    // One item may stand for several collections, such as the data and the files of buckets.
    records: (what, collection) => once(`records ${what} ${collection.name}`, () => recordSink(what, collection)),
    rows: (index, table, collection) => once(`rows ${index}`, () => rowSink(`rows of ${index}`, table, collection)),
    points: {
      what: "points of history",
      write: async ({ tx }, entries) => tx.timeline.putMany(lastOfEach(entries)),
    },
  };
}

/** A file may contain the same bucket twice, but an SQL statement must not. */
function lastOfEach(entries: readonly TimelineEntry[]): TimelineEntry[] {
  return [
    ...new Map(entries.map((entry) => [`${entry.server} ${entry.system} ${entry.point.epoch_div}`, entry])).values(),
  ];
}

function rowSink(what: string, table: TransferTable, collection: AnyCollection): Sink<Members> {
  return {
    what,
    async write({ tx }, rows) {
      const taken = takenRows(table, rows);
      const records = taken.map(({ record }) => record);
      await replaceParts(tx, { table, collection, ids: records.map(({ id }) => id) });
      for (const { collection: place, records: parts } of taken.flatMap(({ beside = [] }) => beside))
        await putRecords(tx, place, parts);
      await putRecords(tx, collection, records);
    },
  };
}

/** The last row with each id, in its stored form. */
const takenRows = (table: TransferTable, rows: readonly Members[]): TakenRow[] =>
  [...new Map(rows.map((row) => [row["id"], row])).values()].map(
    (row) => table.take?.(row) ?? { record: row as unknown as StoredRecord },
  );

interface Replaced {
  readonly table: TransferTable;
  readonly collection: AnyCollection;
  readonly ids: readonly string[];
}

async function replaceParts(tx: WriteTx, { table, collection, ids }: Replaced): Promise<void> {
  if (!table.replaces) return;
  for (const stored of await tx.collection(collection).getMany(ids))
    if (stored) await table.replaces(tx, stored as never);
}
