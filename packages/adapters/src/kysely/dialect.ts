import type { Coordination, NodeMessage, StorageFault } from "@signalbox/core/storage";
import type { Dialect, RawBuilder, SqlBool } from "kysely";

/** Tables are declared at run time by collections, so rows are typed at the collection, not here. */
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Tables = any;

export type SqlRow = Readonly<Record<string, unknown>>;

export interface SqlResult {
  readonly rows: readonly SqlRow[];
  /** Rows inserted, updated or deleted. */
  readonly changes: number;
}

export interface SqlStatement {
  readonly sql: string;
  /** True = the text is one of a fixed set, so it pays to prepare the statement and keep it. */
  readonly kept: boolean;
}

/** One connection, as the shared code sees it. */
export interface SqlSession {
  /** True = the session reads committed rows as of one moment. */
  readonly isSnapshot?: boolean;
  run(statement: SqlStatement, parameters: readonly unknown[]): Promise<SqlResult>;
}

/** A query that the word index of a collection can answer alone. Its lists are never empty. */
export type WordQuery =
  /** The text field contains one of `phrases`: its words next to each other, in this order. */
  | { readonly kind: "text"; readonly field: string; readonly phrases: readonly (readonly string[])[] }
  /** The record has one of the words among its terms of the field. */
  | { readonly kind: "term"; readonly field: string; readonly words: readonly string[] }
  | { readonly kind: "and" | "or"; readonly parts: readonly WordQuery[] }
  /** The record matches `part` and does not match `not`. */
  | { readonly kind: "but"; readonly part: WordQuery; readonly not: WordQuery };

/** Words and terms of a record by field. Words are in order, with a break where no phrase may match across. */
export interface WordEntries {
  readonly text: Readonly<Record<string, readonly string[]>>;
  readonly terms: Readonly<Record<string, readonly string[]>>;
}

/** The word index of a collection that declares texts. It contains both texts and terms. */
export interface TextIndex {
  /** Table of the collection, with our prefix. */
  readonly table: string;
  /** Names of the text fields. */
  readonly fields: readonly string[];
  /** Database names of the declared columns. */
  readonly columns: readonly string[];
}

/** Numbers of records, both ends included. */
export interface NumberRange {
  readonly low: number;
  readonly high: number;
}

/**
 * Full-text search. The core has already split texts into words: a backend stores and compares words and never analyses text.
 * Words contain only letters, digits and `_`; terms may contain anything.
 */
export interface SqlText {
  /** Type of the columns of `columnsOf`. */
  readonly type: RawBuilder<unknown>;
  /** Columns of the collection's table on which the index is built. */
  columnsOf(fields: readonly string[]): readonly string[];
  /** Values of those columns, by name. */
  encode(entries: WordEntries): Readonly<Record<string, string>>;
  /** The normal form of a column value that can be written in several equivalent ways. */
  canonical(stored: string): string;
  /** Takes the index away, so that columns can change. */
  clear(index: TextIndex): readonly RawBuilder<unknown>[];
  /** Creates the index again, without records. Run while there are no writers. */
  begin(index: TextIndex): readonly RawBuilder<unknown>[];
  /** Adds the records with numbers above `after`, up to `last`, to the index. Their columns have already been written. */
  add(index: TextIndex, after: number, last: number): readonly RawBuilder<unknown>[];
  /** Statements after which the index follows the columns automatically, within the transaction that writes them. */
  end(index: TextIndex): readonly RawBuilder<unknown>[];
  /** A condition that is true for records that match the query, and otherwise false, never unknown. */
  match(table: string, query: WordQuery): RawBuilder<SqlBool>;
  /** The same condition, cheaper for testing a few records when there are many hits. */
  probe(table: string, query: WordQuery): RawBuilder<SqlBool>;
  /** Like `match`, where all records in question have numbers in this range. */
  within(table: string, query: WordQuery, range: NumberRange): RawBuilder<SqlBool>;
  /** The `most` highest numbers of the hits, found without reading the others. Absent if the backend cannot do that. */
  last?(table: string, query: WordQuery, most: number): RawBuilder<unknown>;
  /** A statement that counts the hits as `total`. */
  count(table: string, query: WordQuery): RawBuilder<unknown>;
  /**
   * A statement that returns a `version` of the index, which changes with every commit that writes to the index. Absent if there
   * is none.
   */
  version?(table: string): RawBuilder<unknown>;
  /** Appended to the table name in a query that reads only numbers, ids and declared columns. */
  narrow(table: string): RawBuilder<unknown>;
  /** Costs of scanning records in the order of the page instead of sorting all hits. */
  readonly walk: {
    /** Number of records up to which a scan pays. */
    readonly most: number;
    /** The same number for an index on the sort column that does not contain the id. */
    readonly unique: number;
    /** Cost of `probe` for one record, as the number of hits that `match` gathers in that time. */
    readonly probeCost: number;
    /** Columns that `match` and `probe` read. */
    readonly columns: readonly string[];
  };
  /** Runs statements so that the word index is used first, whatever the planner would choose. */
  indexFirst<R>(session: SqlSession, work: () => Promise<R>): Promise<R>;
}

/** The few differences between SQL backends; everything else in this folder is shared. */
export interface SqlDialect {
  readonly name: string;
  /** Kysely's adapter, compiler and introspector for this SQL dialect. */
  readonly kysely: Pick<Dialect, "createAdapter" | "createQueryCompiler" | "createIntrospector">;
  /** Schema of all tables; absent for databases without schemas. */
  readonly schema?: string;
  readonly types: {
    /** Text that sorts by bytes. */
    readonly text: RawBuilder<unknown>;
    readonly real: RawBuilder<unknown>;
    readonly bigint: RawBuilder<unknown>;
    readonly document: RawBuilder<unknown>;
    readonly bytes: RawBuilder<unknown>;
    /** A primary key that numbers rows automatically, in insertion order. */
    readonly sequence: RawBuilder<unknown>;
  };
  /** Appended to the definition of a table that is stored in the order of its primary key, if the dialect supports it. */
  readonly withoutRowid?: RawBuilder<unknown>;
  /** Appended to an index column, so that the index has the sort order that the port requires. */
  readonly nullsFirst: RawBuilder<unknown>;
  /** Reads the document as exactly the text that was written. */
  readonly documentText: RawBuilder<string>;
  readonly text: SqlText;
  /**
   * True = statements may write in `with` clauses and take lists as one parameter, so that a record and its terms need one round
   * trip.
   */
  readonly writesInWith?: boolean;
  /** A statement with one row if there is a table of this name, and none otherwise. */
  tableNamed(name: string): RawBuilder<unknown>;
  /** Begins a transaction that writes. */
  readonly begin: string;
  /** Appended to the query that claims queued work. */
  readonly skipLocked: RawBuilder<unknown>;
  /** Appended to a query whose rows no other transaction may change meanwhile. */
  readonly locked: RawBuilder<unknown>;
  /** A query for the ids of the nodes that write to the database now; absent where there is one at most. */
  readonly livingNodes?: RawBuilder<unknown>;
  isUniqueViolation(error: unknown): boolean;
  /** True = the database aborted a transaction in favour of another one, and it may be retried. */
  isRace(error: unknown): boolean;
  /** The fault of the database itself; undefined for errors of a statement. */
  faultOf(error: unknown): StorageFault | undefined;
  /** Returns false when another transaction held the key for `waitMs`; without `waitMs`, it waits as long as necessary. */
  lock(session: SqlSession, key: string, waitMs?: number): Promise<boolean>;
}

/** The outcome of finished work. */
export interface Outcome<R> {
  readonly result: R;
  /** Called once after the commit, in the order of commits. */
  readonly committed: () => void;
}

export type Work<R> = (session: SqlSession) => Promise<R>;

/** A transaction of the host, as a session. */
export interface AdoptedSession {
  readonly session: SqlSession;
  /** Work is queued by this key, because savepoints of one handle must not interleave. */
  readonly handle: object;
  /** Rejects with `TypeError` when the handle is on another database. Called under a savepoint. */
  verify(): Promise<void>;
  /** Throws `TypeError` when the host has ended the transaction. Absent = a savepoint outside a transaction fails by itself. */
  refuseEnded?(): void;
}

/** Connections and transactions of one database; the storage packages supply it. */
export interface SqlBackend {
  readonly dialect: SqlDialect;
  readonly coordination: Coordination;
  /** Where the database is, in words for a sentence and without credentials. */
  place?(): string;
  /** Advice after a fault that prevented the database from being opened: one sentence about where to look. */
  advice?(fault: StorageFault): string | undefined;
  /**
   * Called before the tables are touched; acquires the database if only one process may own it. `wake` is called when other nodes
   * enqueue work.
   */
  start(wake: () => void): Promise<void>;
  /** Runs `work` outside of transactions while no other process does the same on this database. */
  exclusive<R>(work: Work<R>): Promise<R>;
  /** Called once after the tables are ready. */
  ready(): Promise<void>;
  /** Runs `work` in one consistent snapshot, taken at the first statement. */
  read<R>(work: Work<R>): Promise<R>;
  /**
   * Runs a reading statement synchronously in its own snapshot; undefined = not possible now, or failed. Absent = never possible.
   */
  readAtOnce?(statement: SqlStatement, parameters: readonly unknown[]): SqlResult | undefined;
  write<R>(work: Work<Outcome<R>>): Promise<R>;
  /** Runs work of a single statement, which begins and commits by itself. Absent = that would save nothing. */
  alone?<R>(work: Work<R>): Promise<R>;
  /** Runs work of a single reading statement, in no transaction. Absent = that would save nothing. */
  look?<R>(work: Work<R>): Promise<R>;
  /**
   * Stores messages for other nodes in the running transaction. `work` names the nodes that may run the enqueued items; undefined
   * = every node. Returns a function to call after the commit. `adopted` = the transaction is the host's, whose commit is not
   * visible.
   */
  announce(
    session: SqlSession,
    news: { messages: readonly NodeMessage[]; work: ReadonlySet<string | undefined>; adopted: boolean },
  ): Promise<(() => void) | undefined>;
  /**
   * Throws `TypeError` when the handle does not belong to this backend's library or has no open transaction. `databaseId` returns
   * the value in the table `sb_database` of our own database.
   */
  adopt(handle: unknown, databaseId: () => string): AdoptedSession;
  close(): Promise<void>;
}
