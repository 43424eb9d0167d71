import { settleAll } from "@signalbox/core/adapter";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { SqlDialect, SqlResult, SqlSession, Tables } from "../dialect.ts";
import { limitTo, type Prepared, place, prepare, prepareList, slot, tableRef } from "../statements.ts";
import { CHUNK } from "./format/chunks.ts";
import { compileShapes, type ShapeRegistry } from "./format/shapes.ts";

/** Runs statements with many rows each. Rows are lists of values in column order. */
export type ForRows = (session: SqlSession, rows: readonly (readonly unknown[])[]) => Promise<void>;

export interface TimelineQueries {
  readonly shapes: ShapeRegistry;
  readonly lock: SqlDialect["lock"];
  /** Returns the number of a series, and the slots within which the journal may contain its rows. */
  readonly series: Prepared;
  readonly journal: Prepared;
  readonly firstFrom: Prepared;
  readonly lastTo: Prepared;
  readonly putRows: ForRows;
  /** Records that series have rows in a slot of the journal; creates new series. */
  readonly touch: ForRows;
  readonly chunksUp: Prepared;
  readonly chunksDown: Prepared;
  readonly putPieces: ForRows;
  readonly dropChunk: Prepared;
  readonly oldest: Prepared;
  readonly ripe: Prepared;
  readonly ripeRows: Prepared;
  readonly dropRipe: Prepared;
  readonly notePacked: Prepared;
  readonly pruneRows: Prepared;
  readonly overdue: Prepared;
  readonly pruneChunks: Prepared;
  readonly raiseFirst: Prepared;
  readonly sweep: Prepared;
  readonly names: Prepared;
  readonly dropRows: Prepared;
  readonly disown: Prepared;
  readonly orphan: Prepared;
  readonly forget: Prepared;
}

/**
 * New minutes go into a journal sorted by minute, then by server, so all servers of a minute are next to each other. Each sixty
 * finished buckets of one series are packed into a chunk, and the chunk is cut into pieces that fill pages well. Chunks are
 * stored in the order of their creation and found with an index by series. A slot is the number of such a group of sixty buckets.
 */
export function compileTimeline(db: Kysely<Tables>, dialect: SqlDialect): TimelineQueries {
  const journal = tableRef(dialect, "sb_history_journal");
  const series = tableRef(dialect, "sb_history_series");
  const own = sql`server = ${slot("server")} and system = ${slot("system")}`;
  const between = sql`bucket >= ${slot("from")} and bucket <= ${slot("to")}`;
  return {
    shapes: compileShapes(db, dialect),
    lock: dialect.lock,
    series: prepare(db, sql`select number, open_slot, last_slot from ${series} where ${own}`),
    // SQLite joins the tables of a cross join in the given order; otherwise it would scan the whole journal.
    journal: prepare(
      db,
      sql`with recursive span(n) as (
        select cast(${slot("from")} as ${dialect.types.bigint})
        union all select n + 1 from span where n < ${slot("to")}
      )
      select point.bucket, point.payload from span cross join ${journal} as point
      where point.system = ${slot("system")} and point.bucket = span.n and point.server = ${slot("server")}
      order by point.bucket`,
    ),
    firstFrom: prepare(db, sql`select bucket from ${journal} where ${own} and ${between} order by bucket limit 1`),
    lastTo: prepare(db, sql`select bucket from ${journal} where ${own} and ${between} order by bucket desc limit 1`),
    putRows: forRows(
      db,
      (rows) => sql`insert into ${journal} (system, bucket, server, payload) values ${rows([])}
        on conflict (system, bucket, server) do update set payload = excluded.payload`,
      4,
    ),
    touch: compileTouch(db, dialect),
    ...compileChunks(db, dialect),
    ...compileTidying(db, dialect),
    ...compileRemoval(db, dialect),
  };
}

type RowPlaces = (types: readonly RawBuilder<unknown>[]) => RawBuilder<unknown>;

const ROWS = [64, 8, 1] as const;

function forRows(db: Kysely<Tables>, build: (rows: RowPlaces) => RawBuilder<unknown>, width: number): ForRows {
  const placesOf =
    (count: number): RowPlaces =>
    (types) => {
      const cells = Array.from({ length: width }, (_cell, cell) => {
        const type = types[cell];
        return type ? sql`cast(${place} as ${type})` : place;
      });
      return sql.join(Array.from({ length: count }, () => sql`(${sql.join(cells)})`));
    };
  const statements = ROWS.map((count) => ({ count, run: prepareList(db, () => build(placesOf(count))) }));
  return async (session, rows) => {
    const running: Promise<SqlResult>[] = [];
    let sent = 0;
    for (const { count, run } of statements)
      for (; rows.length - sent >= count; sent += count)
        running.push(run(session, rows.slice(sent, sent + count).flat()));
    // Sent without waiting in between: over a network each would cost a round trip.
    await settleAll(running);
  };
}

function compileTouch(db: Kysely<Tables>, dialect: SqlDialect): ForRows {
  const series = tableRef(dialect, "sb_history_series");
  const plain = sql`text`;
  const { bigint } = dialect.types;
  const seen = (rows: RowPlaces) =>
    sql`with seen(server, system, low, high) as (values ${rows([plain, plain, bigint, bigint])})`;
  const same = sql`known.server = seen.server and known.system = seen.system`;
  const widened = (news: RawBuilder<unknown>, low: RawBuilder<unknown>, high: RawBuilder<unknown>) =>
    sql`open_slot = case when ${news}.${low} < known.open_slot then ${news}.${low} else known.open_slot end,
      last_slot = case when ${news}.${high} > known.last_slot then ${news}.${high} else known.last_slot end`;
  // Updates existing series first: an upsert would consume a sequence number each time.
  const raise = forRows(
    db,
    (rows) => sql`${seen(rows)} update ${series} as known set ${widened(sql`seen`, sql`low`, sql`high`)}
      from seen where ${same} and (seen.low < known.open_slot or seen.high > known.last_slot)`,
    4,
  );
  const add = forRows(
    db,
    (rows) => sql`${seen(rows)} insert into ${series} as known (server, system, open_slot, last_slot)
      select server, system, low, high from seen where not exists (select 1 from ${series} as known where ${same})
      on conflict (server, system) do update set ${widened(sql`excluded`, sql`open_slot`, sql`last_slot`)}`,
    4,
  );
  return async (session, rows) => {
    await raise(session, rows);
    await add(session, rows);
  };
}

function compileChunks(
  db: Kysely<Tables>,
  dialect: SqlDialect,
): Pick<TimelineQueries, "chunksUp" | "chunksDown" | "putPieces" | "dropChunk"> {
  const chunks = tableRef(dialect, "sb_history_chunks");
  const within = sql`number = ${slot("number")} and slot >= ${slot("from")} and slot <= ${slot("to")}`;
  return {
    chunksUp: prepare(
      db,
      sql`select slot, payload from ${chunks} where ${within} order by slot, seq ${limitTo(slot("limit"))}`,
    ),
    chunksDown: prepare(
      db,
      sql`select slot, payload from ${chunks} where ${within} order by slot desc, seq desc ${limitTo(slot("limit"))}`,
    ),
    putPieces: forRows(db, (rows) => sql`insert into ${chunks} (number, slot, payload) values ${rows([])}`, 3),
    dropChunk: prepare(db, sql`delete from ${chunks} where number = ${slot("number")} and slot = ${slot("slot")}`),
  };
}

/** Moves finished hours out of the journal. */
function compileTidying(
  db: Kysely<Tables>,
  dialect: SqlDialect,
): Pick<TimelineQueries, "oldest" | "ripe" | "ripeRows" | "dropRipe" | "notePacked"> {
  const journal = tableRef(dialect, "sb_history_journal");
  const series = tableRef(dialect, "sb_history_series");
  const buckets = sql.join(Array.from({ length: CHUNK }, (_unused, place) => slot(`b${place}`)));
  const ripe = sql`system = ${slot("system")} and bucket in (${buckets})
    and server >= ${slot("first")} and server <= ${slot("last")}`;
  return {
    oldest: prepare(db, sql`select bucket from ${journal} where system = ${slot("system")} order by bucket limit 1`),
    ripe: prepare(
      db,
      sql`select point.server, known.number, length(point.payload) as size from ${journal} as point
        left join ${series} as known on known.server = point.server and known.system = point.system
        where point.system = ${slot("system")} and point.bucket = ${slot("bucket")}
        order by point.server ${limitTo(slot("limit"))}`,
    ),
    ripeRows: prepare(
      db,
      sql`select server, bucket, payload from ${journal} where ${ripe} ${limitTo(slot("limit"))} ${dialect.skipLocked}`,
    ),
    dropRipe: prepare(db, sql`delete from ${journal} where ${ripe}`),
    // Slots are packed oldest first, so the journal has no rows from earlier slots.
    notePacked: prepare(
      db,
      sql`update ${series} set open_slot = ${slot("slot")} + 1,
          first_slot = case when first_slot < ${slot("slot")} then first_slot else ${slot("slot")} end
        where number = ${slot("number")}`,
    ),
  };
}

function compileRemoval(
  db: Kysely<Tables>,
  dialect: SqlDialect,
): Pick<
  TimelineQueries,
  | "pruneRows"
  | "overdue"
  | "pruneChunks"
  | "raiseFirst"
  | "sweep"
  | "names"
  | "dropRows"
  | "disown"
  | "orphan"
  | "forget"
> {
  const journal = tableRef(dialect, "sb_history_journal");
  const series = tableRef(dialect, "sb_history_series");
  const chunks = tableRef(dialect, "sb_history_chunks");
  const number = sql`number = ${slot("number")}`;
  return {
    pruneRows: prepare(
      db,
      sql`delete from ${journal} where (system, bucket, server) in (
        select system, bucket, server from ${journal}
        where system = ${slot("system")} and bucket < ${slot("below")} order by bucket, server ${limitTo(slot("limit"))})`,
    ),
    overdue: prepare(
      db,
      sql`select number, first_slot from ${series} where system = ${slot("system")} and first_slot < ${slot("slot")}
        order by first_slot ${limitTo(slot("limit"))}`,
    ),
    pruneChunks: prepare(db, sql`delete from ${chunks} where ${number} and slot < ${slot("slot")}`),
    raiseFirst: prepare(db, sql`update ${series} set first_slot = ${slot("slot")} where ${number}`),
    sweep: prepare(
      db,
      sql`delete from ${chunks} where seq in (select seq from ${chunks} where ${number} ${limitTo(slot("limit"))})`,
    ),
    names: prepare(db, sql`select system from ${series} where server = ${slot("server")}`),
    dropRows: prepare(
      db,
      sql`delete from ${journal} where system = ${slot("system")} and server = ${slot("server")} and bucket in (
        with recursive span(n) as (
          select cast(${slot("from")} as ${dialect.types.bigint})
          union all select n + 1 from span where n < ${slot("to")}
        ) select n from span)`,
    ),
    disown: prepare(db, sql`update ${series} set server = null where ${number}`),
    orphan: prepare(db, sql`select number from ${series} where server is null limit 1`),
    forget: prepare(db, sql`delete from ${series} where ${number}`),
  };
}
