import { type Compilable, type CompiledQuery, Kysely, type QueryExecutorProvider, type RawBuilder, sql } from "kysely";
import type { SqlDialect, SqlResult, SqlSession, SqlStatement, Tables } from "./dialect.ts";

interface Slot {
  readonly slot: string;
}
const isSlot = (value: unknown): value is Slot => typeof value === "object" && value !== null && "slot" in value;

/** A placeholder for a named value in a query that is compiled once. */
export const slot = (name: string): RawBuilder<never> => sql.val({ slot: name } satisfies Slot as never);

/**
 * A `limit` whose number is a parameter. SQLite plans by the number of a bare `limit ?`, and therefore compiles the statement again
 * for each run, which costs more than running most of them; it does not look into a cast.
 */
export const limitTo = (count: unknown): RawBuilder<unknown> => sql`limit cast(${count} as bigint)`;

/** Runs the statement; returns what the runner returns, a promise or not. */
export type Prepared = <R = Promise<SqlResult>>(on: Runs<R>, values?: Readonly<Record<string, unknown>>) => R;

interface Runs<R> {
  run(statement: SqlStatement, parameters: readonly unknown[]): R;
}

/** Takes its values as a list, in the order of the `place`s in the text. */
export type PreparedList = (session: SqlSession, values: readonly unknown[]) => Promise<SqlResult>;

/** A placeholder for a value from a list: statements for many records have hundreds, and names would be costly. */
export const place = slot("");

type Query = Compilable | { compile(provider: QueryExecutorProvider): CompiledQuery };

interface Compiled {
  readonly statement: SqlStatement;
  /** The name of a slot, or the value of a constant parameter. */
  readonly places: readonly (Slot | { readonly value: unknown })[];
}

/**
 * Compiles a query once, on first use, so that a starting host does not wait for statements that it may never need. Give a large
 * query as a function that builds it.
 */
export function prepare(db: Kysely<Tables>, query: Query | (() => Query)): Prepared {
  let compiled: Compiled | undefined;
  return (on, values = {}) => {
    compiled ??= compileNow(db, typeof query === "function" ? query() : query);
    return on.run(
      compiled.statement,
      compiled.places.map((each) => ("slot" in each ? values[each.slot] : each.value)),
    );
  };
}

/** Like `prepare`, for a query that contains only `place`s. */
export function prepareList(db: Kysely<Tables>, query: Query | (() => Query)): PreparedList {
  let statement: SqlStatement | undefined;
  return (session, values) => {
    statement ??= compileNow(db, typeof query === "function" ? query() : query).statement;
    return session.run(statement, values);
  };
}

function compileNow(db: Kysely<Tables>, query: Query): Compiled {
  const { sql: text, parameters } = compileQuery(db, query);
  const places = parameters.map((value) => (isSlot(value) ? value : { value }));
  return { statement: { sql: text, kept: true }, places };
}

/** Runs a query whose text is different each time, so its statement is not kept. */
export function runOnce(db: Kysely<Tables>, session: SqlSession, query: Query): Promise<SqlResult> {
  const compiled = compileQuery(db, query);
  return session.run({ sql: compiled.sql, kept: false }, compiled.parameters);
}

/** Most statements kept per collection, and most characters of the key of one that is kept. */
const MOST_QUESTIONS = 100;
export const LONGEST_QUESTION = 1000;

/** The key of a query, with the values of its statement if the key does not contain them. */
export interface Asked {
  readonly text: string;
  readonly values?: readonly unknown[];
}

/** Runs the statement with this key; `make` builds the query if it is not cached. */
export type Ask = (session: SqlSession, question: Asked, make: () => Query) => Promise<SqlResult>;

/**
 * An LRU cache of statements: lists, polls and watches repeat the same queries, and building and compiling the statements of a
 * page costs half as much as running them.
 */
export function keepQuestions(db: Kysely<Tables>): Ask {
  const kept = new Map<string, Pick<CompiledQuery, "sql" | "parameters">>();
  return (session, { text: question, values }, make) => {
    const known = kept.get(question);
    const { sql: text, parameters } = known ?? compileQuery(db, make());
    if (question.length <= LONGEST_QUESTION) {
      if (known) kept.delete(question);
      else if (kept.size >= MOST_QUESTIONS) kept.delete(kept.keys().next().value as string);
      kept.set(question, known ?? { sql: text, parameters });
    }
    return session.run({ sql: text, kept: false }, values ?? parameters);
  };
}

/** Lengths of lists up to which the text of a statement is kept. */
const MOST_LENGTHS = 64;

/**
 * A query of `place`s over a list. It has too many texts for a PostgreSQL connection to keep them prepared, but they are cached
 * here.
 */
export function prepareLists(db: Kysely<Tables>, query: (count: number) => Query): PreparedList {
  const kept: string[] = [];
  return (session, values) => {
    const text = kept[values.length] ?? compileQuery(db, query(values.length)).sql;
    if (values.length <= MOST_LENGTHS) kept[values.length] = text;
    return session.run({ sql: text, kept: false }, values);
  };
}

const compileQuery = (db: Kysely<Tables>, query: Query): CompiledQuery =>
  (query as { compile(provider: QueryExecutorProvider): CompiledQuery }).compile(db);

export const raw = (text: string): SqlStatement => ({ sql: text, kept: true });

/**
 * Undoes failed work. Never rejects: a full disk or a lost connection has ended the transaction already, and the error to report
 * is the one that led here.
 */
export async function undo(session: SqlSession, ...texts: readonly string[]): Promise<void> {
  for (const text of texts) await session.run(raw(text), []).catch(() => undefined);
}

const nowhere: SqlSession = {
  run: () => Promise.reject(new Error("This Kysely instance only compiles")),
};

/** A Kysely instance that only compiles and never runs queries. */
export const createCompiler = (dialect: SqlDialect): Kysely<Tables> => kyselyOver(dialect, nowhere);

/** Kysely over a connection that someone else owns, for migrations and schema changes. */
export function kyselyOver(dialect: SqlDialect, session: SqlSession): Kysely<Tables> {
  const connection = {
    async executeQuery<R>({ sql: text, parameters }: CompiledQuery) {
      const { rows, changes } = await session.run({ sql: text, kept: false }, parameters);
      return { rows: rows as R[], numAffectedRows: BigInt(changes) };
    },
    // biome-ignore lint/correctness/useYield: nothing here streams
    async *streamQuery(): AsyncGenerator<never> {
      throw new Error("Streaming is not supported");
    },
  };
  const simple = (text: string) => async (): Promise<void> => {
    await session.run(raw(text), []);
  };
  const db = new Kysely<Tables>({
    dialect: {
      ...dialect.kysely,
      createAdapter: () => dialect.kysely.createAdapter(),
      createQueryCompiler: () => dialect.kysely.createQueryCompiler(),
      createIntrospector: (instance) => dialect.kysely.createIntrospector(instance),
      createDriver: () => ({
        init: async () => undefined,
        acquireConnection: async () => connection,
        beginTransaction: simple(dialect.begin),
        commitTransaction: simple("commit"),
        rollbackTransaction: () => undo(session, "rollback"),
        releaseConnection: async () => undefined,
        destroy: async () => undefined,
      }),
    },
  });
  return dialect.schema === undefined ? db : db.withSchema(dialect.schema);
}

/** The full name of a table, for use in `sql` templates. */
export const tableRef = ({ schema }: SqlDialect, name: string): RawBuilder<unknown> =>
  schema === undefined ? sql.id(name) : sql.id(schema, name);
