import type { SearchNode } from "../../search/ast.ts";

/** The only member every stored record has. Records are open: unknown members survive. */
export interface StoredRecord {
  id: string;
}

/** Value of a column. */
export type ColumnValue = string | number | null;

/** A value derived from the record and stored beside the document, so that the backend can filter and sort by it. */
export interface Column<T extends StoredRecord> {
  readonly type: "integer" | "real" | "text";
  /** At most one record per non-null value; a second one is refused with `DuplicateError`. */
  readonly unique?: boolean;
  read(record: T): ColumnValue;
}

/**
 * Declares a collection: its records and their indexes. Indexes are derived data: a backend rebuilds them when the
 * declaration changes.
 */
export interface CollectionDefinition<T extends StoredRecord> {
  /** Table-like name, `^[a-z][a-z0-9_]*$`: "tickets". */
  readonly name: string;
  /** Name of a record in errors: "Ticket". */
  readonly noun: string;
  /**
   * Keeps a copy of the collection in memory for queries, changed after each commit and refreshed by messages of other nodes:
   * definitions (tags, monitors, events …) are few and read all the time.
   */
  readonly resident?: boolean;
  readonly columns?: Readonly<Record<string, Column<T>>>;
  /** Exact words per record: status, tags, assignees. */
  readonly terms?: Readonly<Record<string, (record: T) => readonly string[]>>;
  /**
   * Full text per record: subject, body. Words in their order, from `analyseText`, or from `analyseWords` for words that keep
   * their endings; anything but lower-case letters, digits and `_` is left out.
   */
  readonly text?: Readonly<Record<string, (record: T) => readonly string[]>>;
}

/**
 * Declares a collection. Returns it unchanged at run time; the compiler checks its shape.
 *
 * @example
 * const deployCollection = defineCollection<Deploy>({
 *   name: "acme_deploys",
 *   noun: "Deploy",
 *   columns: { version: { type: "text", read: ({ version }) => version } },
 * });
 */
export function defineCollection<T extends StoredRecord>(definition: CollectionDefinition<T>): CollectionDefinition<T> {
  return definition;
}

declare const isReadable: unique symbol;

/** A collection as other domains see it: a transaction offers them no way to write its records. */
export interface ReadableCollection<T extends StoredRecord> extends CollectionDefinition<T> {
  /** Exists only for the compiler. */
  readonly [isReadable]: true;
}

/**
 * The read-only form of a collection, for other domains: only the owning domain writes it.
 *
 * @example
 * export const deployRecords = readable(deployCollection);
 * const deploy = await tx.collection(deployRecords).get(id);
 */
export const readable = <T extends StoredRecord>(definition: CollectionDefinition<T>): ReadableCollection<T> =>
  definition as ReadableCollection<T>;

/** A collection of records of any shape. */
// biome-ignore lint/suspicious/noExplicitAny: a list of collections of different records is heterogeneous by nature
export type AnyCollection = CollectionDefinition<any>;

/** The requested part of a search, and its order. */
export interface Page {
  /**
   * A declared column or `id`; absent = insertion order. Order: null first, numbers, then text by UTF-8 bytes; ties by
   * id in the same direction.
   */
  readonly sortBy?: string;
  readonly descending?: boolean;
  readonly offset?: number;
  /** Absent = no limit. */
  readonly limit?: number;
  /** The reader goes through all matches and needs no total: `total` may be any number not below the number of matches. */
  readonly uncounted?: boolean;
  /**
   * Makes each row from the stored JSON text, for a reader that passes texts on. A storage without such texts returns records as
   * usual.
   */
  readonly fromText?: (json: string) => unknown;
}

/** The records of one collection in one snapshot. */
export interface ReadCollection<T extends StoredRecord> {
  get(id: string): Promise<T | undefined>;
  /** Same length and order as `ids`. */
  getMany(ids: readonly string[]): Promise<(T | undefined)[]>;
  /** Every record in the order of insertion. Meant for definitions, which are few. */
  list(): Promise<T[]>;
  /** `total` counts all matches, not only the page. */
  find(where: SearchNode, page?: Page): Promise<{ rows: T[]; total: number }>;
}

/** The records of one collection, in a transaction that may write. */
export interface Collection<T extends StoredRecord> extends ReadCollection<T> {
  /** Throws `DuplicateError` when the id or a unique column is taken; the transaction stays usable. */
  insert(record: T): Promise<void>;
  /**
   * Inserts many at once; their ids must differ. Throws `DuplicateError` like `insert`; some of them may then be stored, so the
   * transaction must fail.
   */
  insertMany(records: readonly T[]): Promise<void>;
  /**
   * Reads, changes and writes one record. `change` must be pure and must keep the id.
   * Throws `NotFoundError` when there is no such record and `ConflictError` when its stored revision moved since
   * it was first read in this transaction.
   */
  update(id: string, change: (current: T) => T): Promise<T>;
  /** False when there was no such record. */
  delete(id: string): Promise<boolean>;
  /** Deletes the records that exist. */
  deleteMany(ids: readonly string[]): Promise<void>;
}
