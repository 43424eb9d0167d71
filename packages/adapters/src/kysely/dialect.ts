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
  /** The text is one of a fixed set, so that preparing and keeping it pays. */
  readonly kept: boolean;
}

/** One connection, as the shared code sees it. */
export interface SqlSession {
  /** The session reads committed rows as they were at one moment. */
  readonly isSnapshot?: boolean;
  run(statement: SqlStatement, parameters: readonly unknown[]): Promise<SqlResult>;
}

/** A question that the word index of a collection can answer by itself. A list is never empty. */
export type WordQuery =
  /** One of `phrases` stands in the text field: its words side by side, in this order. */
  | { readonly kind: "text"; readonly field: string; readonly phrases: readonly (readonly string[])[] }
  /** The record has one of the words among its terms of the field. */
  | { readonly kind: "term"; readonly field: string; readonly words: readonly string[] }
  | { readonly kind: "and" | "or"; readonly parts: readonly WordQuery[] }
  /** The record fulfils the first and not the second. */
  | { readonly kind: "but"; readonly part: WordQuery; readonly not: WordQuery };

/** Words and terms of one record by field; words in their order, with a break where none can be. */
export interface WordEntries {
  readonly text: Readonly<Record<string, readonly string[]>>;
  readonly terms: Readonly<Record<string, readonly string[]>>;
}

/** The word index of a collection that declares texts: its texts and its terms in one. */
export interface TextIndex {
  /** Table of the collection, with our prefix. */
  readonly table: string;
  /** Names of the text fields. */
  readonly fields: readonly string[];
  /** Database columns of the declared columns. */
  readonly columns: readonly string[];
}

/** Numbers of records, both ends included. */
export interface NumberRange {
  readonly low: number;
  readonly high: number;
}

/**
 * Full text. Words come ready from the core: a backend stores and compares them and never reads a text itself. They
 * hold nothing but letters, digits and `_`; terms may hold anything.
 */
export interface SqlText {
  /** Type of the columns of `columnsOf`. */
  readonly type: RawBuilder<unknown>;
  /** Columns of the collection's table that the index is made of. */
  columnsOf(fields: readonly string[]): readonly string[];
  /** Content of those columns, by their names. */
  encode(entries: WordEntries): Readonly<Record<string, string>>;
  /** The text that is the same for all ways to write down one content of a column. */
  canonical(stored: string): string;
  /** Takes the index away, so that columns can change. */
  clear(index: TextIndex): readonly RawBuilder<unknown>[];
  /** Makes the index anew, without any record in it; run while there are no writers. */
  begin(index: TextIndex): readonly RawBuilder<unknown>[];
  /** Takes the records whose number is above `after`, up to `last`, into the index; their columns are written. */
  add(index: TextIndex, after: number, last: number): readonly RawBuilder<unknown>[];
  /** Statements after which the index follows the columns by itself, within the transaction that writes them. */
  end(index: TextIndex): readonly RawBuilder<unknown>[];
  /** True for the records that fulfil the query; never unknown. */
  match(table: string, query: WordQuery): RawBuilder<SqlBool>;
  /** The same, cheaper for few records out of many hits. */
  probe(table: string, query: WordQuery): RawBuilder<SqlBool>;
  /** Like `match`, where all records in question have numbers in this range. */
  within(table: string, query: WordQuery, range: NumberRange): RawBuilder<SqlBool>;
  /** The `most` greatest numbers of the hits, found without a look at the others; absent where that cannot be done. */
  last?(table: string, query: WordQuery, most: number): RawBuilder<unknown>;
  /** A statement that counts the hits as `total`. */
  count(table: string, query: WordQuery): RawBuilder<unknown>;
  /**
   * A statement for a `version` of the index that every commit changes that writes to it; absent where there is none.
   */
  version?(table: string): RawBuilder<unknown>;
  /** Follows the name of the table where only numbers, ids and declared columns are read. */
  narrow(table: string): RawBuilder<unknown>;
  /** Looking through records in the order of the page, rather than sorting all hits. */
  readonly walk: {
    /** Number of records up to which a walk is worth it. */
    readonly most: number;
    /** That number where the index of the order does not hold the id. */
    readonly unique: number;
    /** Cost of `probe` for one record, as the number of hits that `match` gathers in that time. */
    readonly probeCost: number;
    /** Columns that `match` and `probe` read. */
    readonly columns: readonly string[];
  };
  /** Runs statements with the word index asked first, against the choice of the planner. */
  indexFirst<R>(session: SqlSession, work: () => Promise<R>): Promise<R>;
}

/** The few things in which SQL backends differ; everything else in this folder is shared. */
export interface SqlDialect {
  readonly name: string;
  /** Kysely's own knowledge of how this SQL is spelled. */
  readonly kysely: Pick<Dialect, "createAdapter" | "createQueryCompiler" | "createIntrospector">;
  /** Schema of all tables; absent where there are none. */
  readonly schema?: string;
  readonly types: {
    /** Ordered by bytes. */
    readonly text: RawBuilder<unknown>;
    readonly real: RawBuilder<unknown>;
    readonly bigint: RawBuilder<unknown>;
    readonly document: RawBuilder<unknown>;
    readonly bytes: RawBuilder<unknown>;
    /** A primary key that numbers rows by itself, in the order of insertion. */
    readonly sequence: RawBuilder<unknown>;
  };
  /** Appended to the definition of a table that lies in the order of its primary key, where that can be said. */
  readonly withoutRowid?: RawBuilder<unknown>;
  /** Appended to an index column, so that the index has the order of the port. */
  readonly nullsFirst: RawBuilder<unknown>;
  /** Reads the document as the text that was written. */
  readonly documentText: RawBuilder<string>;
  readonly text: SqlText;
  /**
   * Statements may write in their `with`, and take lists as one parameter: a record and its terms are one round trip.
   */
  readonly writesInWith?: boolean;
  /** A statement with one row if there is a table of this name, and none otherwise. */
  tableNamed(name: string): RawBuilder<unknown>;
  /** Begins a transaction that writes. */
  readonly begin: string;
  /** Appended to the query that picks work. */
  readonly skipLocked: RawBuilder<unknown>;
  /** Appended to a query whose rows no other transaction may change meanwhile. */
  readonly locked: RawBuilder<unknown>;
  /** A query for the ids of the nodes that write to the database now; absent where there is one at most. */
  readonly livingNodes?: RawBuilder<unknown>;
  isUniqueViolation(error: unknown): boolean;
  /** The database gave up a transaction in favour of another one: it may be run again. */
  isRace(error: unknown): boolean;
  /** The fault of the database itself; undefined for errors of a statement. */
  faultOf(error: unknown): StorageFault | undefined;
  /** False when another transaction held the key for `waitMs`; absent = waits for as long as it takes. */
  lock(session: SqlSession, key: string, waitMs?: number): Promise<boolean>;
}

/** Outcome of finished work, for the backend. */
export interface Outcome<R> {
  readonly result: R;
  /** Called once after the commit, in the order of commits. */
  readonly committed: () => void;
}

export type Work<R> = (session: SqlSession) => Promise<R>;

/** A transaction of the host, seen as a session. */
export interface AdoptedSession {
  readonly session: SqlSession;
  /** Key of the queue for work on this handle: savepoints of one handle must not interleave. */
  readonly handle: object;
  /** Rejects with `TypeError` when the handle is on another database. Called under a savepoint. */
  verify(): Promise<void>;
}

/** Connections and transactions of one database; the storage packages supply it. */
export interface SqlBackend {
  readonly dialect: SqlDialect;
  readonly coordination: Coordination;
  /** Place of the database, in the words of a sentence and without a credential. */
  place?(): string;
  /** Advice after a fault that kept the database from being opened: where to look, in one sentence. */
  advice?(fault: StorageFault): string | undefined;
  /**
   * Called before the tables are touched, to take the database where one process owns it. `wake`: other nodes enqueued
   * work.
   */
  start(wake: () => void): Promise<void>;
  /** Runs `work` outside of transactions while no other process does the same on this database. */
  exclusive<R>(work: Work<R>): Promise<R>;
  /** Called once after the tables are ready. */
  ready(): Promise<void>;
  /** One consistent snapshot, taken at the first statement. */
  read<R>(work: Work<R>): Promise<R>;
  /** Runs a statement that reads in a snapshot of its own; undefined = not now, or it failed. Absent = never. */
  readAtOnce?(statement: SqlStatement, parameters: readonly unknown[]): SqlResult | undefined;
  write<R>(work: Work<Outcome<R>>): Promise<R>;
  /** Runs work of one statement, which begins and commits by itself. Absent = it would save nothing. */
  alone?<R>(work: Work<R>): Promise<R>;
  /**
   * Stores messages for other nodes in the running transaction; `work` names the nodes that may run the items that were
   * enqueued, undefined = every node. Answers a function to call after the commit; of an `adopted` transaction, the
   * host's, the commit cannot be seen.
   */
  announce(
    session: SqlSession,
    news: { messages: readonly NodeMessage[]; work: ReadonlySet<string | undefined>; adopted: boolean },
  ): Promise<(() => void) | undefined>;
  /**
   * Throws `TypeError` when the handle is none of this backend's, or has no transaction open. `databaseId` gives the
   * value that the table `sb_database` of our own database holds.
   */
  adopt(handle: unknown, databaseId: () => string): AdoptedSession;
  close(): Promise<void>;
}
