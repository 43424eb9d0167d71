import type { AnyCollection } from "@signalbox/core/storage";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { SqlDialect, SqlSession, Tables, TextIndex } from "../dialect.ts";
import { columnName, hasWordIndex, wordColumns } from "../indexes/index-values.ts";
import { raw, tableRef, undo } from "../statements.ts";
import { type Declaration, indexName, type StoredDeclaration } from "./declaration.ts";

/** One connection to the database. */
export interface On {
  readonly dialect: SqlDialect;
  readonly session: SqlSession;
}

/** Upgrade of the tables of one collection. */
export interface Upgrade extends On {
  readonly db: Kysely<Tables>;
  readonly definition: AnyCollection;
  readonly before: StoredDeclaration;
  readonly after: Declaration;
  /** Undefined = the collection declares no text. */
  readonly text: TextIndex | undefined;
  /** Present columns of the table; undefined = the table does not exist. */
  readonly present: ReadonlySet<string> | undefined;
}

export async function inTransaction<R>({ dialect, session }: On, work: () => Promise<R>): Promise<R> {
  await session.run(raw(dialect.begin), []);
  try {
    const result = await work();
    await session.run(raw("commit"), []);
    return result;
  } catch (error) {
    await undo(session, "rollback");
    throw error;
  }
}

export async function runAll({ db }: Upgrade, statements: readonly RawBuilder<unknown>[]): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}

/** Creates the collection's tables, or adds missing columns and indexes. */
export async function createTables(upgrade: Upgrade): Promise<void> {
  const { after, definition, text, present } = upgrade;
  if (present) await createColumns(upgrade, present);
  else await createTable(upgrade);
  if (text) await createText(upgrade, text);
  else if (after.terms.length > 0) await createTerms(upgrade, `sb_${definition.name}_terms`);
}

async function createTable({ db, dialect, definition, after, text }: Upgrade): Promise<void> {
  const { types } = dialect;
  const words = text ? wordColumns(dialect, definition) : [];
  const columns = [
    ...Object.entries(after.columns).map(([name, { type }]) => [columnName(name), typeOf(dialect, type)] as const),
    ...words.map((column) => [column, dialect.text.type] as const),
  ];
  const table = db.schema
    .createTable(`sb_${definition.name}`)
    .addColumn("seq", sql`${types.sequence}`)
    .addColumn("id", sql`${types.text}`, (column) => column.notNull().unique())
    .addColumn("revision", sql`integer`, (column) => column.notNull())
    .addColumn("doc", sql`${types.document}`, (column) => column.notNull());
  await columns.reduce((made, [name, type]) => made.addColumn(name, sql`${type}`), table).execute();
}

const typeOf = ({ types }: SqlDialect, type: string): RawBuilder<unknown> =>
  type === "text" ? types.text : types.real;

async function createColumns(upgrade: Upgrade, present: ReadonlySet<string>): Promise<void> {
  const { db, dialect, definition, after, before, text } = upgrade;
  if (text || before.words !== undefined) await runAll(upgrade, dialect.text.clear(wordIndexOf(definition)));
  for (const [declared, { type }] of Object.entries(after.columns)) {
    const column = columnName(declared);
    // A column that was declared, dropped and declared again may still have its old type.
    const isAnother = before.columns[declared]?.type !== type;
    if (isAnother && present.has(column)) await dropColumn(upgrade, declared);
    if (isAnother || !present.has(column))
      await db.schema
        .alterTable(`sb_${definition.name}`)
        .addColumn(column, sql`${typeOf(dialect, type)}`)
        .execute();
  }
}

/** Recreates the word index, which also contains terms, empty: every record is then indexed again. */
async function createText(upgrade: Upgrade, text: TextIndex): Promise<void> {
  const { db, dialect, definition, present } = upgrade;
  if (present) {
    for (const column of wordColumns(dialect, definition).filter((each) => !present.has(each)))
      await sql`alter table ${tableRef(dialect, text.table)} add column ${sql.id(column)} ${dialect.text.type}`.execute(
        db,
      );
    await db.schema.dropTable(`${text.table}_terms`).ifExists().execute();
  }
  await runAll(upgrade, dialect.text.begin(text));
}

/** Drops a column. Its values are derived, and are rewritten immediately. */
async function dropColumn(upgrade: Upgrade, declared: string): Promise<void> {
  await dropIndexes(upgrade, declared);
  await upgrade.db.schema.alterTable(`sb_${upgrade.definition.name}`).dropColumn(columnName(declared)).execute();
}

export async function dropIndexes({ db, definition, dialect }: Upgrade, declared: string): Promise<void> {
  for (const kind of ["idx", "key"] as const)
    await sql`drop index if exists ${tableRef(dialect, indexName(definition.name, declared, kind))}`.execute(db);
}

async function createTerms({ db, dialect, before, after, present }: Upgrade, name: string): Promise<void> {
  const { text } = dialect.types;
  await db.schema
    .createTable(name)
    .ifNotExists()
    .addColumn("field", sql`${text}`, (column) => column.notNull())
    .addColumn("term", sql`${text}`, (column) => column.notNull())
    .addColumn("id", sql`${text}`, (column) => column.notNull())
    .addPrimaryKeyConstraint(`${name}_pkey`, ["field", "term", "id"])
    .$call((table) => (dialect.withoutRowid ? table.modifyEnd(dialect.withoutRowid) : table))
    .execute();
  // A field that was declared once, dropped and declared again may still hold its old terms.
  const fresh = after.terms.filter((field) => !before.terms.includes(field));
  if (present && fresh.length > 0)
    await sql`delete from ${tableRef(dialect, name)} where field in (${sql.join(fresh)})`.execute(db);
}

/** The index over the words of a collection. */
export const wordIndexOf = ({ name, columns = {}, text = {} }: AnyCollection): TextIndex => ({
  table: `sb_${name}`,
  fields: Object.keys(text),
  columns: Object.keys(columns).map(columnName),
});

/** Called after every record has been indexed. */
export async function createIndexes(upgrade: Upgrade): Promise<void> {
  const { db, dialect, definition, after, text, present } = upgrade;
  const table = tableRef(dialect, `sb_${definition.name}`);
  for (const [column, { unique }] of Object.entries(after.columns)) {
    const [kind, other] = unique ? (["key", "idx"] as const) : (["idx", "key"] as const);
    const name = indexName(definition.name, column, kind);
    // With the id as a tie-breaker, pages of many hits can be read from the index alone.
    const tie = hasWordIndex(definition) && !unique ? sql`, id` : sql``;
    const columnSql = sql`${sql.id(columnName(column))} ${dialect.nullsFirst}${tie}`;
    if (present)
      await sql`drop index if exists ${tableRef(dialect, indexName(definition.name, column, other))}`.execute(db);
    const create = sql`create ${unique ? sql`unique ` : sql``}index if not exists ${sql.id(name)} on ${table} (${columnSql})`;
    await create.execute(db).catch((error: unknown) => {
      if (!dialect.isUniqueViolation(error)) throw error;
      throw new Error(`Collection ${definition.name}: records share a value of ${column}, now declared unique`, {
        cause: error,
      });
    });
  }
  if (text) await runAll(upgrade, dialect.text.end(text));
}
