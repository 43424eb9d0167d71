import type { TimelinePoint } from "@signalbox/core/storage";
import { CompiledQuery, type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import type { SqlDialect, SqlRow, SqlSession, Tables } from "../dialect.ts";
import { limitTo, tableRef, undo } from "../statements.ts";
import { compileTimeline } from "../timeline/queries.ts";
import { writeTimeline } from "../timeline/write.ts";

/** Rows migrated at a time. */
const BATCH = 500;

/**
 * Stores monitoring history as a journal of minutes, and as chunks of finished hours. Each step is idempotent, because SQLite
 * runs migrations outside a transaction.
 */
export const history = (dialect: SqlDialect): Migration => ({
  async up(plain: Kysely<Tables>) {
    const db = dialect.schema === undefined ? plain : plain.withSchema(dialect.schema);
    await createSeries(db, dialect);
    await createPoints(db, dialect);
    const tables = await db.introspection.getTables();
    if (tables.some(({ name, schema }) => name === "sb_timeline" && (schema ?? undefined) === dialect.schema))
      await carryOver(plain, dialect);
    await db.schema.dropTable("sb_series").ifExists().execute();
    await db.schema.dropTable("sb_timeline").ifExists().execute();
  },
});

async function createSeries(db: Kysely<Tables>, dialect: SqlDialect): Promise<void> {
  const { text, bigint, sequence } = dialect.types;
  // The number of a dropped server is kept until its chunks are deleted.
  await db.schema
    .createTable("sb_history_series")
    .ifNotExists()
    .addColumn("number", sql`${sequence}`)
    .addColumn("server", sql`${text}`)
    .addColumn("system", sql`${text}`, (column) => column.notNull())
    // Chunks start at `first_slot`, the journal at `open_slot`; both end at `last_slot`.
    .addColumn("first_slot", sql`${bigint}`)
    .addColumn("open_slot", sql`${bigint}`, (column) => column.notNull())
    .addColumn("last_slot", sql`${bigint}`, (column) => column.notNull())
    .addUniqueConstraint("sb_history_series_name", ["server", "system"])
    .execute();
  const series = tableRef(dialect, "sb_history_series");
  await sql`create index if not exists sb_history_series_age on ${series} (system, first_slot)`.execute(db);
  await db.schema
    .createTable("sb_history_shapes")
    .ifNotExists()
    .addColumn("id", sql`${bigint}`, (column) => column.primaryKey())
    .addColumn("content", sql`text`, (column) => column.notNull())
    .execute();
}

async function createPoints(db: Kysely<Tables>, dialect: SqlDialect): Promise<void> {
  const { text, bigint, bytes, sequence } = dialect.types;
  await db.schema
    .createTable("sb_history_journal")
    .ifNotExists()
    .addColumn("system", sql`${text}`, (column) => column.notNull())
    .addColumn("bucket", sql`${bigint}`, (column) => column.notNull())
    .addColumn("server", sql`${text}`, (column) => column.notNull())
    .addColumn("payload", sql`${bytes}`, (column) => column.notNull())
    .addPrimaryKeyConstraint("sb_history_journal_pkey", ["system", "bucket", "server"])
    .$call((table) => (dialect.withoutRowid ? table.modifyEnd(dialect.withoutRowid) : table))
    .execute();
  await db.schema
    .createTable("sb_history_chunks")
    .ifNotExists()
    .addColumn("seq", sql`${sequence}`)
    .addColumn("number", sql`${bigint}`, (column) => column.notNull())
    .addColumn("slot", sql`${bigint}`, (column) => column.notNull())
    .addColumn("payload", sql`${bytes}`, (column) => column.notNull())
    .execute();
  const chunks = tableRef(dialect, "sb_history_chunks");
  await sql`create index if not exists sb_history_chunks_place on ${chunks} (number, slot)`.execute(db);
}

/** Moves the points from the old format; background work then packs them, and pairs of minutes are merged when read. */
async function carryOver(plain: Kysely<Tables>, dialect: SqlDialect): Promise<void> {
  const old = tableRef(dialect, "sb_timeline");
  const session = sessionOver(plain);
  const queries = compileTimeline(plain, dialect);
  const timeline = writeTimeline({ queries, session, shapes: queries.shapes.bind(session) });
  await sql`delete from ${old} where system = 'daily'`.execute(plain);
  const moveBatch = async (): Promise<number> => {
    const { rows } = await sql<SqlRow>`select * from ${old} order by system, bucket, server ${limitTo(BATCH)}`.execute(
      plain,
    );
    const last = rows.at(-1);
    if (!last) return 0;
    await timeline.putMany(
      rows.map((row) => ({ server: String(row["server"]), system: String(row["system"]), point: readPoint(row) })),
    );
    await sql`delete from ${old}
      where (system, bucket, server) <= (${last["system"]}, ${last["bucket"]}, ${last["server"]})`.execute(plain);
    return rows.length;
  };
  while ((await underSavepoint(plain, moveBatch)) > 0);
}

/** Outside of a transaction a savepoint begins one. */
async function underSavepoint<R>(db: Kysely<Tables>, work: () => Promise<R>): Promise<R> {
  await sql`savepoint sb_carry`.execute(db);
  try {
    const result = await work();
    await sql`release savepoint sb_carry`.execute(db);
    return result;
  } catch (error) {
    await undo(sessionOver(db), "rollback to savepoint sb_carry", "release savepoint sb_carry");
    throw error;
  }
}

const sessionOver = (db: Kysely<Tables>): SqlSession => ({
  async run({ sql: text }, parameters) {
    const { rows, numAffectedRows } = await db.executeQuery<SqlRow>(CompiledQuery.raw(text, [...parameters]));
    return { rows, changes: Number(numAffectedRows ?? 0) };
  },
});

function readPoint(row: SqlRow): TimelinePoint {
  const [date, count, totals, alerts, deltas, counts] = JSON.parse(String(row["payload"]));
  return {
    epoch_div: Number(row["bucket"]),
    date,
    count,
    totals,
    ...(alerts ? { alerts } : {}),
    ...(deltas ? { deltas } : {}),
    ...(counts ? { counts } : {}),
  };
}
