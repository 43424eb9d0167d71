import { type Compilable, type CompiledQuery, Kysely, type QueryExecutorProvider, type RawBuilder, sql } from "kysely";
import type { SqlDialect, SqlResult, SqlSession, SqlStatement, Tables } from "./dialect.ts";

interface Slot {
  readonly slot: string;
}
const isSlot = (value: unknown): value is Slot => typeof value === "object" && value !== null && "slot" in value;

/** A place for a value in a query that is compiled once. */
export const slot = (name: string): RawBuilder<never> => sql.val({ slot: name } satisfies Slot as never);

export type Prepared = (session: SqlSession, values?: Readonly<Record<string, unknown>>) => Promise<SqlResult>;

type Query = Compilable | { compile(provider: QueryExecutorProvider): CompiledQuery };

/** Compiles a query once; running it only puts the values into its slots. */
export function prepare(db: Kysely<Tables>, query: Query): Prepared {
  const compiled = (query as { compile(provider: QueryExecutorProvider): CompiledQuery }).compile(db);
  const statement: SqlStatement = { sql: compiled.sql, kept: true };
  const places = compiled.parameters.map((value) => (isSlot(value) ? value : undefined));
  return (session, values = {}) =>
    session.run(
      statement,
      places.map((place, index) => (place === undefined ? compiled.parameters[index] : values[place.slot])),
    );
}

/** Runs a query whose text depends on what is asked. */
export function runOnce(db: Kysely<Tables>, session: SqlSession, query: Query): Promise<SqlResult> {
  const compiled = (query as { compile(provider: QueryExecutorProvider): CompiledQuery }).compile(db);
  return session.run({ sql: compiled.sql, kept: false }, compiled.parameters);
}

export const raw = (text: string): SqlStatement => ({ sql: text, kept: true });

const nowhere: SqlSession = {
  run: () => Promise.reject(new Error("This Kysely instance only compiles")),
};

/** A Kysely instance that compiles and never runs. */
export const createCompiler = (dialect: SqlDialect): Kysely<Tables> => kyselyOver(dialect, nowhere);

/** Kysely over one connection that somebody else owns: for migrations and schema changes. */
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
        rollbackTransaction: simple("rollback"),
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
