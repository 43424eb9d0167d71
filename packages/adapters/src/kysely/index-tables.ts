import type { AnyCollection, StoredRecord } from "@signalbox/core/storage";
import { type Kysely, type RawBuilder, sql } from "kysely";
import { type CollectionQueries, compileCollection } from "./collection-queries.ts";
import type { SqlDialect, SqlSession, Tables, TextIndex } from "./dialect.ts";
import { recordOf } from "./documents.ts";
import { columnName, databaseValues, hasWordIndex, termsOf, wordColumns } from "./index-values.ts";
import { writeTerms } from "./kysely-collection.ts";
import { kyselyOver, prepare, raw, slot, tableRef } from "./statements.ts";

/** Records indexed anew in one transaction. */
const BATCH = 500;

interface Declaration {
  readonly columns: Readonly<Record<string, { readonly type: string; readonly unique: boolean }>>;
  readonly terms: readonly string[];
  readonly text: readonly string[];
  /** How the word index is made; another number makes it anew. */
  readonly words?: number;
}

const WORD_INDEX = 1;
const noDeclaration: Declaration = { columns: {}, terms: [], text: [] };

function declarationOf(definition: AnyCollection): Declaration {
  const columns = Object.entries(definition.columns ?? {})
    .map(([name, { type, unique = false }]) => [name, { type: type === "text" ? "text" : "real", unique }] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    columns: Object.fromEntries(columns),
    terms: Object.keys(definition.terms ?? {}).sort(),
    text: Object.keys(definition.text ?? {}).sort(),
    ...(hasWordIndex(definition) ? { words: WORD_INDEX } : {}),
  };
}

const RESERVED = new Set(["database", "collections", "counters", "nodes", "timeline", "series", "work", "owner"]);
const MAX_IDENTIFIER = 63;

/** Throws `TypeError` for names that would not make good tables, columns and indexes. */
export function checkDefinitions(definitions: readonly AnyCollection[]): void {
  const seen = new Set<string>();
  for (const definition of definitions) {
    checkNames(definition);
    if (seen.has(definition.name)) throw new TypeError(`Two collections are named ${definition.name}`);
    seen.add(definition.name);
  }
}

/** Tables beside the collections' own; SQLite keeps a text index in several. */
const BESIDE = /_(?:terms|text(?:_(?:data|idx|content|docsize|config))?)$/;

function checkNames({ name, columns = {}, text = {} }: AnyCollection): void {
  const clash = RESERVED.has(name) || BESIDE.test(name) || name.startsWith("migrations");
  if (clash || !/^[a-z][a-z0-9_]*$/.test(name))
    throw new TypeError(`A collection cannot be named ${JSON.stringify(name)}`);
  const refuse = (kind: string, field: string): never => {
    throw new TypeError(`Collection ${name}: a ${kind} cannot be named ${JSON.stringify(field)}`);
  };
  const isGood = (field: string, indexed: string): boolean =>
    /^[A-Za-z][A-Za-z0-9_]*$/.test(field) && indexName(name, indexed, "key").length <= MAX_IDENTIFIER;
  for (const column of Object.keys(columns)) if (!isGood(column, column)) refuse("column", column);
  for (const field of Object.keys(text)) if (!isGood(field, `t_${field}`)) refuse("text field", field);
}

const indexName = (collection: string, column: string, kind: "idx" | "key"): string =>
  `sb_${collection}_${column}_${kind}`;

/** Database columns by table, as they are. */
export type ExistingColumns = ReadonlyMap<string, ReadonlySet<string>>;

export async function readColumns(dialect: SqlDialect, session: SqlSession): Promise<ExistingColumns> {
  const tables = await kyselyOver(dialect, session).introspection.getTables();
  const own = tables.filter(
    ({ schema, name }) => name.startsWith("sb_") && (!dialect.schema || schema === dialect.schema),
  );
  return new Map(own.map(({ name, columns }) => [name, new Set(columns.map((column) => column.name))]));
}

/** The fingerprints of all collections that were ever opened here. */
export async function readFingerprints(dialect: SqlDialect, session: SqlSession): Promise<ReadonlyMap<string, string>> {
  const db = kyselyOver(dialect, session);
  const { rows } = await sql<{ name: string; fingerprint: string }>`
    select name, fingerprint from ${tableRef(dialect, "sb_collections")}`.execute(db);
  return new Map(rows.map(({ name, fingerprint }) => [name, fingerprint]));
}

interface Upgrade {
  readonly dialect: SqlDialect;
  readonly session: SqlSession;
  readonly db: Kysely<Tables>;
  readonly definition: AnyCollection;
  readonly before: Declaration;
  readonly after: Declaration;
  /** Undefined = nothing is declared as text. */
  readonly text: TextIndex | undefined;
}

/**
 * Brings the tables of one collection to its declaration: adds what is missing and indexes every record anew. Columns
 * that are no longer declared stay where they are. The fingerprint is written last, so that a crash repeats all of it.
 */
export async function upgradeCollection(
  dialect: SqlDialect,
  session: SqlSession,
  definition: AnyCollection,
  known: { fingerprint: string | undefined; existing: ExistingColumns },
): Promise<"unchanged" | "upgraded"> {
  const after = declarationOf(definition);
  const fingerprint = JSON.stringify(after);
  if (known.fingerprint === fingerprint) return "unchanged";
  const before: Declaration = known.fingerprint === undefined ? noDeclaration : JSON.parse(known.fingerprint);
  const text = hasWordIndex(definition) ? wordIndexOf(definition) : undefined;
  const upgrade: Upgrade = { dialect, session, db: kyselyOver(dialect, session), definition, before, after, text };
  await inTransaction(upgrade, () => createTables(upgrade, known.existing));
  await reindex(upgrade);
  await inTransaction(upgrade, async () => {
    await createIndexes(upgrade);
    if (text) await runAll(upgrade, dialect.text.end(text));
    await sql`insert into ${tableRef(dialect, "sb_collections")} (name, fingerprint)
      values (${definition.name}, ${fingerprint})
      on conflict (name) do update set fingerprint = excluded.fingerprint`.execute(upgrade.db);
  });
  return "upgraded";
}

const wordIndexOf = ({ name, columns = {}, text = {} }: AnyCollection): TextIndex => ({
  table: `sb_${name}`,
  fields: Object.keys(text),
  columns: Object.keys(columns).map(columnName),
});

async function inTransaction<R>({ dialect, session }: Upgrade, work: () => Promise<R>): Promise<R> {
  await session.run(raw(dialect.begin), []);
  try {
    const result = await work();
    await session.run(raw("commit"), []);
    return result;
  } catch (error) {
    await session.run(raw("rollback"), []);
    throw error;
  }
}

async function runAll({ db }: Upgrade, statements: readonly RawBuilder<unknown>[]): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}

async function createTables(upgrade: Upgrade, existing: ExistingColumns): Promise<void> {
  const { db, dialect, definition, after, before } = upgrade;
  const name = `sb_${definition.name}`;
  const { text, sequence, document } = dialect.types;
  await db.schema
    .createTable(name)
    .ifNotExists()
    .addColumn("seq", sql`${sequence}`)
    .addColumn("id", sql`${text}`, (column) => column.notNull().unique())
    .addColumn("revision", sql`integer`, (column) => column.notNull())
    .addColumn("doc", sql`${document}`, (column) => column.notNull())
    .execute();
  const present = existing.get(name) ?? new Set();
  if (upgrade.text || before.words !== undefined) await runAll(upgrade, dialect.text.clear(wordIndexOf(definition)));
  await createColumns(upgrade, present);
  if (upgrade.text) await createText(upgrade, upgrade.text, present);
  else if (after.terms.length > 0) await createTerms(upgrade, `${name}_terms`);
}

async function createColumns(upgrade: Upgrade, present: ReadonlySet<string>): Promise<void> {
  const { db, dialect, definition, after, before } = upgrade;
  const { text, real } = dialect.types;
  for (const [declared, { type }] of Object.entries(after.columns)) {
    const column = columnName(declared);
    const retyped = before.columns[declared] !== undefined && before.columns[declared].type !== type;
    if (retyped && present.has(column)) await dropColumn(upgrade, declared);
    if (retyped || !present.has(column))
      await db.schema
        .alterTable(`sb_${definition.name}`)
        .addColumn(column, sql`${type === "text" ? text : real}`)
        .execute();
  }
}

/** The index begins empty, whatever was in it: every record is indexed anew. Terms are in it too. */
async function createText(upgrade: Upgrade, text: TextIndex, present: ReadonlySet<string>): Promise<void> {
  const { db, dialect, definition } = upgrade;
  for (const column of wordColumns(dialect, definition))
    if (!present.has(column))
      await sql`alter table ${tableRef(dialect, text.table)} add column ${sql.id(column)} ${dialect.text.type}`.execute(
        db,
      );
  await db.schema.dropTable(`${text.table}_terms`).ifExists().execute();
  await runAll(upgrade, dialect.text.begin(text));
}

/** Its values are derived and are written again at once. */
async function dropColumn({ db, definition, dialect }: Upgrade, declared: string): Promise<void> {
  for (const kind of ["idx", "key"] as const)
    await sql`drop index if exists ${tableRef(dialect, indexName(definition.name, declared, kind))}`.execute(db);
  await db.schema.alterTable(`sb_${definition.name}`).dropColumn(columnName(declared)).execute();
}

async function createTerms({ db, dialect, before, after }: Upgrade, name: string): Promise<void> {
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
  // A field that was declared once, dropped and declared again may hold what records said then.
  const fresh = after.terms.filter((field) => !before.terms.includes(field));
  if (fresh.length > 0)
    await sql`delete from ${tableRef(dialect, name)} where field in (${sql.join(fresh)})`.execute(db);
}

async function reindex(upgrade: Upgrade): Promise<void> {
  const { db, dialect, session, definition, text } = upgrade;
  const queries = compileCollection(db, dialect, definition);
  const batch = prepare(
    db,
    sql`select seq, id, ${dialect.documentText} as doc from ${queries.table}
      where seq > ${slot("after")} order by seq limit ${BATCH}`,
  );
  let after = -1;
  for (let size = BATCH; size === BATCH; ) {
    const { rows } = await batch(session, { after });
    size = rows.length;
    if (size === 0) break;
    const last = Number(rows.at(-1)?.["seq"]);
    const from = after;
    await inTransaction(upgrade, async () => {
      for (const row of rows) await indexRecord(queries, session, recordOf(row));
      if (text) await runAll(upgrade, dialect.text.add(text, from, last));
    });
    after = last;
  }
}

async function indexRecord(queries: CollectionQueries, session: SqlSession, record: StoredRecord): Promise<void> {
  const values = databaseValues(queries.dialect, queries.definition, record);
  if (Object.keys(values).length > 0) await queries.reindex(session, { id: record.id, ...values });
  await writeTerms(queries, session, record.id, { add: termsOf(queries.definition, record) });
}

async function createIndexes({ db, dialect, definition, after }: Upgrade): Promise<void> {
  const table = tableRef(dialect, `sb_${definition.name}`);
  for (const [column, { unique }] of Object.entries(after.columns)) {
    const [kind, other] = unique ? (["key", "idx"] as const) : (["idx", "key"] as const);
    const name = indexName(definition.name, column, kind);
    // Pages of many hits are read off the index, ties included.
    const tie = hasWordIndex(definition) && !unique ? sql`, id` : sql``;
    const columnSql = sql`${sql.id(columnName(column))} ${dialect.nullsFirst}${tie}`;
    await sql`drop index if exists ${tableRef(dialect, indexName(definition.name, column, other))}`.execute(db);
    const create = sql`create ${unique ? sql`unique ` : sql``}index if not exists ${sql.id(name)} on ${table} (${columnSql})`;
    await create.execute(db).catch((error: unknown) => {
      if (!dialect.isUniqueViolation(error)) throw error;
      throw new Error(`Collection ${definition.name}: records share a value of ${column}, now declared unique`, {
        cause: error,
      });
    });
  }
}
