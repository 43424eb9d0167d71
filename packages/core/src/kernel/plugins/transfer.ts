import type * as z from "zod";
import type { Awaitable } from "../../lib/turns/awaitable.ts";
import type { AnyCollection, StoredRecord } from "../../ports/storage/collection.ts";
import type { ReadTx, WriteTx } from "../../ports/storage/storage.ts";
import type { TimelinePoint } from "../../ports/storage/timeline.ts";
import type { Actor } from "../calls/context.ts";
import type { SignalboxEvents } from "./events.ts";

type Members = Readonly<Record<string, unknown>>;

/** What a plugin needs to read and write its part of a backup; the domain of backups widens it with all services. */
export interface TransferCradle {
  readonly snapshot: <R>(work: (tx: ReadTx) => Promise<R>) => Promise<R>;
  readonly transact: <R>(work: (unit: TransferUnit) => Promise<R>) => Promise<R>;
}

/** One transaction, with events emitted after its commit and rows of the activity log. */
export interface TransferUnit {
  readonly tx: WriteTx;
  readonly emit: <K extends keyof SignalboxEvents>(type: K, payload: SignalboxEvents[K]) => void;
  audit(action: string, detail: Members): void;
}

export type TransferCaller = Pick<Actor, "kind" | "id">;

/** Definitions that a backup contains as the list `global/<name>`, in display order. */
export interface TransferList {
  readonly collection: AnyCollection;
  /** Records of another shape are not imported. */
  readonly shape: z.ZodType;
  /** Its records store their position in `sort_order`, which is set from their position in the file. */
  readonly sorted?: boolean;
  /** Collections whose records are deleted with the records of the list that have the same id. */
  readonly companions?: readonly AnyCollection[];
  /** Runs in the transaction that removes records, before they are deleted: for data stored elsewhere, such as files. */
  readonly leaves?: (tx: WriteTx, ids: readonly string[]) => Promise<void>;
  /** Type in a file of portable definitions; absent = its records are never exported in one. */
  readonly definition?: string;
  /**
   * The list only names its records, which are transferred under their own keys: `entry` makes the entry of a record, `idOf`
   * reads the id from an entry (undefined = none).
   */
  readonly names?: {
    entry(record: never): Members;
    idOf(entry: Members): string | undefined;
  };
  /** A sentence for the report of an import that brought records of the list; undefined = there is nothing to say. */
  readonly note?: (cradle: TransferCradle) => Promise<string | undefined>;
  /** Seeds of defaults that a file with the whole list makes unnecessary; default: the seed with the name of the list. */
  readonly seeds?: readonly string[];
  /** Fills in members that records from other systems may lack. */
  readonly take?: (members: Members) => Members;
  /**
   * Runs in the transaction that removes records absent from a file or an order; returns the ids that must be kept anyway.
   * `caller` ordered an import; undefined = a deletion.
   */
  readonly mustStay?: (
    tx: ReadTx,
    leaving: ReadonlySet<string>,
    caller: TransferCaller | undefined,
  ) => Promise<readonly string[]>;
}

/** Records under their own keys, such as `users/*`. */
export interface TransferKeys {
  readonly collection: AnyCollection;
  /** The list with which they are exported and imported. */
  readonly list: string;
  /** Type of the item that requests only these records. */
  readonly item: string;
  /** Additional id prefix: "kept" also accepts `secrets/kept/kv1` for `kept/kv1`. */
  readonly within?: string;
  readonly read: (record: never) => unknown;
  /** Throws `Error` with a one-sentence reason for a value that cannot be imported. */
  readonly take: (id: string, value: unknown) => StoredRecord;
}

/** A record as stored, with its companions in other collections. */
export interface TakenRow {
  readonly record: StoredRecord;
  readonly beside?: readonly { readonly collection: AnyCollection; readonly records: readonly StoredRecord[] }[];
}

/** Rows `{index, id, record}` of the search table of the same name. */
export interface TransferTable {
  readonly shape: z.ZodType;
  /** Column that decides which rows are the newest. */
  readonly newest: string;
  /** Converts a row for export; absent = as stored. */
  readonly read?: (cradle: TransferCradle, tx: ReadTx, record: never) => Promise<Members>;
  /** Converts a row for storage; absent = as received. */
  readonly take?: (members: Members) => TakenRow;
  /** Runs before a row is replaced: removes its companions. */
  readonly replaces?: (tx: WriteTx, stored: never) => Promise<void>;
  /** Removes a row with everything that belongs to it; absent = there is only the record. */
  readonly remove?: (cradle: TransferCradle, unit: TransferUnit, record: never) => Promise<void>;
  /** Rows are removed as the search table does it, each in its own transactions; a row may be kept. */
  readonly removedAlone?: true;
  /** Runs once after rows were imported, with the ids that this node should check again. */
  readonly settle?: (cradle: TransferCradle, ids: ReadonlySet<string>) => Promise<void>;
  /** Raises the counter to the highest number among the rows, since new rows must have higher numbers. */
  readonly raise?: (cradle: TransferCradle) => Promise<void>;
}

/** Stored files that belong to records of a table or a list. */
export interface TransferFiles {
  /** Type of the item that requests them, and the item's switch that leaves them out: "files", "logs". */
  readonly item: string;
  readonly part: string;
  /** The table of the records that own them, or otherwise the list. */
  readonly index?: string;
  readonly list?: string;
  /** Keys in the file store; a key that ends with a slash means everything below it. */
  readonly of: (record: never) => readonly string[];
  /** Pattern of the keys: `*` matches a part without slashes, `**` the rest. */
  readonly keys: string;
}

/** A list in a backup that is not a collection, such as daily counters. */
export interface TransferLog {
  readonly item: string;
  read(cradle: TransferCradle): AsyncIterable<Members>;
  /** Throws `Error` with a one-sentence reason for an entry that cannot be imported. */
  take(entry: Members): readonly StoredRecord[];
  readonly collection: AnyCollection;
}

/** Time series of a server, under `timeline/<server>/<resolution>`. */
export interface TransferSeries {
  readonly item: string;
  /** The table of the servers. */
  readonly index: string;
  /** Resolution → seconds per bucket; derived resolutions follow from others, so they are exported but not imported. */
  readonly resolutions: Readonly<Record<string, { readonly seconds: number; readonly derived?: boolean }>>;
  extent(tx: ReadTx, server: string, resolution: string): Promise<{ first: number; last: number } | undefined>;
  points(
    tx: ReadTx,
    server: string,
    range: { resolution: string; from: number; to: number },
  ): Awaitable<readonly TimelinePoint[]>;
}

/** A plugin's part of a backup, for export and import (docs/contract/transfer.md). */
export interface Transfer {
  /** Lists by name, without `global/`. */
  readonly lists?: Readonly<Record<string, TransferList>>;
  /** Records under their own keys, by key pattern: `users/*`, `buckets/*` + `/data`. */
  readonly keys?: Readonly<Record<string, TransferKeys>>;
  /** Searchable records by the name of their search table. */
  readonly tables?: Readonly<Record<string, TransferTable>>;
  /** Files by the name of the extra: `job_files`. */
  readonly files?: Readonly<Record<string, TransferFiles>>;
  /** Logs by the name of the extra: `stat_data`; each with the key of its list. */
  readonly logs?: Readonly<Record<string, TransferLog & { readonly key: string }>>;
  /** Series by the name of the extra: `monitor_data`. */
  readonly series?: Readonly<Record<string, TransferSeries>>;
  /** Collections that other systems do not know, under keys that only this engine uses. */
  readonly own?: readonly AnyCollection[];
}
