import type * as z from "zod";
import type { Awaitable } from "../../lib/turns/awaitable.ts";
import type { AnyCollection, StoredRecord } from "../../ports/storage/collection.ts";
import type { ReadTx, WriteTx } from "../../ports/storage/storage.ts";
import type { TimelinePoint } from "../../ports/storage/timeline.ts";
import type { SignalboxEvents } from "./events.ts";

type Members = Readonly<Record<string, unknown>>;

/** Means of a plugin to read and write its part of a backup; the domain of backups widens it by all services. */
export interface TransferCradle {
  readonly snapshot: <R>(work: (tx: ReadTx) => Promise<R>) => Promise<R>;
  readonly transact: <R>(work: (unit: TransferUnit) => Promise<R>) => Promise<R>;
}

/** One transaction, with events that leave after its commit and rows of the activity log. */
export interface TransferUnit {
  readonly tx: WriteTx;
  readonly emit: <K extends keyof SignalboxEvents>(type: K, payload: SignalboxEvents[K]) => void;
  audit(action: string, detail: Members): void;
}

/** Definitions that travel as the list `global/<name>` of a backup, in the order of people. */
export interface TransferList {
  readonly collection: AnyCollection;
  /** A record of another shape is not taken in. */
  readonly shape: z.ZodType;
  /** Its records have a place of their own, `sort_order`, which follows the place in the file. */
  readonly sorted?: boolean;
  /** Collections whose records end with the records of the list that have the same id. */
  readonly companions?: readonly AnyCollection[];
  /** Runs in the transaction that removes records, before they go: for data stored elsewhere, such as files. */
  readonly leaves?: (tx: WriteTx, ids: readonly string[]) => Promise<void>;
  /** Type in a file of portable definitions; absent = its records never leave in one. */
  readonly definition?: string;
  /**
   * The list only names its records, which travel under keys of their own: `entry` makes the entry of a record, `idOf`
   * reads the id from one (undefined = none).
   */
  readonly names?: {
    entry(record: never): Members;
    idOf(entry: Members): string | undefined;
  };
  /** Fills in members that records of other systems may leave out. */
  readonly take?: (members: Members) => Members;
  /**
   * Runs in the transaction that removes records absent from a file or an order; answers ids that stay all the same.
   */
  readonly mustStay?: (tx: ReadTx, leaving: ReadonlySet<string>) => Promise<readonly string[]>;
}

/** Records under a key of their own, such as `users/*`. */
export interface TransferKeys {
  readonly collection: AnyCollection;
  /** The list that they travel with. */
  readonly list: string;
  /** Type of the item that asks for them alone. */
  readonly item: string;
  /** Prefix of ids of one more part: "kept" also takes `secrets/kept/kv1` for `kept/kv1`. */
  readonly within?: string;
  readonly read: (record: never) => unknown;
  /** Throws `Error` with the reason in one sentence for a value that is not taken in. */
  readonly take: (id: string, value: unknown) => StoredRecord;
}

/** A record as it is stored, with its companions in other collections. */
export interface TakenRow {
  readonly record: StoredRecord;
  readonly beside?: readonly { readonly collection: AnyCollection; readonly records: readonly StoredRecord[] }[];
}

/** Rows `{index, id, record}` of the search table of the same name. */
export interface TransferTable {
  readonly shape: z.ZodType;
  /** Column that says which rows are the newest. */
  readonly newest: string;
  /** A row as it leaves; absent = as it is stored. */
  readonly read?: (cradle: TransferCradle, tx: ReadTx, record: never) => Promise<Members>;
  /** A row as it is stored; absent = as it came. */
  readonly take?: (members: Members) => TakenRow;
  /** Runs before a row is replaced: removes its companions. */
  readonly replaces?: (tx: WriteTx, stored: never) => Promise<void>;
  /** Removes a row with all that belongs to it; absent = the record is all. */
  readonly remove?: (cradle: TransferCradle, unit: TransferUnit, record: never) => Promise<void>;
  /** Rows are removed as the search table does it, each by transactions of its own; a row may stay. */
  readonly removedAlone?: true;
  /** Runs once after rows were taken in, with the ids that this node should look at again. */
  readonly settle?: (cradle: TransferCradle, ids: ReadonlySet<string>) => Promise<void>;
  /** Highest number of the rows, of which new ones must have higher ones. */
  readonly raise?: (cradle: TransferCradle) => Promise<void>;
}

/** Stored files that belong to records of a table or a list. */
export interface TransferFiles {
  /** Type of the item that asks for them, and the switch in it that leaves them out: "files", "logs". */
  readonly item: string;
  readonly part: string;
  /** The table, or else the list, of the records that own them. */
  readonly index?: string;
  readonly list?: string;
  /** Keys in the store; one that ends with a slash stands for all below it. */
  readonly of: (record: never) => readonly string[];
  /** Pattern of the keys, with `*` for a part without slash and `**` for the rest. */
  readonly keys: string;
}

/** A list of a backup that is no collection: counters of days. */
export interface TransferLog {
  readonly item: string;
  read(cradle: TransferCradle): AsyncIterable<Members>;
  /** Throws `Error` with the reason in one sentence for an entry that is not taken in. */
  take(entry: Members): readonly StoredRecord[];
  readonly collection: AnyCollection;
}

/** Series of numbers of a server, as `timeline/<server>/<resolution>`. */
export interface TransferSeries {
  readonly item: string;
  /** The table of the servers. */
  readonly index: string;
  /** Resolution → seconds of a bucket; resolutions that follow from others are written and not taken in. */
  readonly resolutions: Readonly<Record<string, { readonly seconds: number; readonly derived?: boolean }>>;
  extent(tx: ReadTx, server: string, resolution: string): Promise<{ first: number; last: number } | undefined>;
  points(
    tx: ReadTx,
    server: string,
    range: { resolution: string; from: number; to: number },
  ): Awaitable<readonly TimelinePoint[]>;
}

/** A plugin's part of a backup, written and read back (docs/contract/transfer.md). */
export interface Transfer {
  /** Lists by their names, without `global/`. */
  readonly lists?: Readonly<Record<string, TransferList>>;
  /** Records under keys of their own, by the pattern of the keys: `users/*`, `buckets/*` + `/data`. */
  readonly keys?: Readonly<Record<string, TransferKeys>>;
  /** Searchable records by the name of their search table. */
  readonly tables?: Readonly<Record<string, TransferTable>>;
  /** Files by the name of the extra: `job_files`. */
  readonly files?: Readonly<Record<string, TransferFiles>>;
  /** Logs by the name of the extra: `stat_data`; each with the key of its list. */
  readonly logs?: Readonly<Record<string, TransferLog & { readonly key: string }>>;
  /** Series by the name of the extra: `monitor_data`. */
  readonly series?: Readonly<Record<string, TransferSeries>>;
  /** Collections that other systems do not know: under keys of this engine. */
  readonly own?: readonly AnyCollection[];
}
