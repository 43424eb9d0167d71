import type { ReadTimeline, SeriesKey, Timeline, TimelinePoint } from "@signalbox/core";
import { cleanText } from "@signalbox/core";
import { type Kysely, sql } from "kysely";
import type { SqlDialect, SqlRow, SqlSession, Tables } from "./dialect.ts";
import { type Prepared, prepare, slot, tableRef } from "./statements.ts";

/** Buckets looked at by one query; each is one lookup by primary key. */
const SPAN = 2000;

export interface TimelineQueries {
  readonly series: Prepared;
  readonly span: Prepared;
  readonly firstFrom: Prepared;
  readonly lastTo: Prepared;
  readonly put: Prepared;
  readonly putSeries: Prepared;
  readonly prune: Prepared;
  readonly pruneSeries: Prepared;
  readonly forget: Prepared;
  readonly dropPoints: Prepared;
  readonly dropSeries: Prepared;
}

/**
 * Points lie by minute, then by server: all servers of a minute are written side by side. `sb_series` keeps a lower
 * and an upper bound of each series, so that one server is read by lookups and never by a scan over all of them.
 */
export function compileTimeline(db: Kysely<Tables>, dialect: SqlDialect): TimelineQueries {
  const points = tableRef(dialect, "sb_timeline");
  const series = tableRef(dialect, "sb_series");
  const one = sql`server = ${slot("server")} and system = ${slot("system")}`;
  const between = sql`bucket >= ${slot("from")} and bucket <= ${slot("to")}`;
  return {
    series: prepare(db, sql`select first, last from ${series} where ${one}`),
    span: prepare(
      db,
      sql`with recursive span(n) as (
        select cast(${slot("from")} as ${dialect.types.bigint})
        union all select n + 1 from span where n < ${slot("to")}
      )
      select point.bucket, point.payload from span join ${points} as point
        on point.system = ${slot("system")} and point.bucket = span.n and point.server = ${slot("server")}
      order by point.bucket`,
    ),
    firstFrom: prepare(db, sql`select bucket from ${points} where ${one} and ${between} order by bucket limit 1`),
    lastTo: prepare(db, sql`select bucket from ${points} where ${one} and ${between} order by bucket desc limit 1`),
    put: prepare(
      db,
      sql`insert into ${points} (system, bucket, server, payload)
        values (${slot("system")}, ${slot("bucket")}, ${slot("server")}, ${slot("payload")})
        on conflict (system, bucket, server) do update set payload = excluded.payload`,
    ),
    putSeries: prepare(
      db,
      sql`insert into ${series} as known (server, system, first, last)
        values (${slot("server")}, ${slot("system")}, ${slot("bucket")}, ${slot("bucket")})
        on conflict (server, system) do update set
          first = case when excluded.first < known.first then excluded.first else known.first end,
          last = case when excluded.last > known.last then excluded.last else known.last end
        where excluded.first < known.first or excluded.last > known.last`,
    ),
    ...compilePruning(db, dialect),
    dropPoints: prepare(db, sql`delete from ${points} where ${one} and ${between}`),
    dropSeries: prepare(db, sql`delete from ${series} where server = ${slot("server")} returning system, first, last`),
  };
}

function compilePruning(
  db: Kysely<Tables>,
  dialect: SqlDialect,
): Pick<TimelineQueries, "prune" | "pruneSeries" | "forget"> {
  const points = tableRef(dialect, "sb_timeline");
  const series = tableRef(dialect, "sb_series");
  return {
    prune: prepare(
      db,
      sql`delete from ${points} where (system, bucket, server) in (
        select system, bucket, server from ${points}
        where system = ${slot("system")} and bucket < ${slot("below")} order by bucket, server limit ${slot("limit")})`,
    ),
    pruneSeries: prepare(
      db,
      sql`update ${series} set first = ${slot("below")} where system = ${slot("system")} and first < ${slot("below")}`,
    ),
    forget: prepare(db, sql`delete from ${series} where system = ${slot("system")} and last < ${slot("below")}`),
  };
}

const MAX_BUCKET = Number.MAX_SAFE_INTEGER;
const bucketOf = (row: SqlRow): number => Number(row["bucket"]);
const names = ({ server, system }: SeriesKey) => ({ server: cleanText(server), system: cleanText(system) });
const clamp = (bucket: number): number => Math.min(MAX_BUCKET, Math.max(-MAX_BUCKET, Math.ceil(bucket)));

export function kyselyReadTimeline(queries: TimelineQueries, session: SqlSession): ReadTimeline {
  const known = async (key: SeriesKey): Promise<{ first: number; last: number } | undefined> => {
    const [row] = (await queries.series(session, names(key))).rows;
    return row && { first: Number(row["first"]), last: Number(row["last"]) };
  };
  const span = async (key: SeriesKey, from: number, to: number): Promise<readonly SqlRow[]> =>
    (await queries.span(session, { ...names(key), from, to })).rows;
  /** The nearest stored bucket at or beyond `from`, going up; jumps over gaps of any length. */
  const edge = async (query: Prepared, key: SeriesKey, from: number, to: number): Promise<number | undefined> => {
    const [row] = (await query(session, { ...names(key), from, to })).rows;
    return row && bucketOf(row);
  };
  return {
    async latest(key, limit) {
      const hint = await known(key);
      const found: SqlRow[] = [];
      let to = hint?.last;
      while (hint && to !== undefined && found.length < limit) {
        const from = Math.max(hint.first, to - Math.min(SPAN, limit - found.length) + 1);
        found.unshift(...(await span(key, from, to)));
        to = from > hint.first ? await edge(queries.lastTo, key, hint.first, from - 1) : undefined;
      }
      return found.slice(limit > 0 ? -limit : found.length).map(decodePoint);
    },
    async range(key, bounds) {
      const hint = await known(key);
      const found: SqlRow[] = [];
      if (!hint) return [];
      const end = Math.min(hint.last, clamp(bounds.to) - 1);
      let from: number | undefined = Math.max(hint.first, clamp(bounds.from));
      while (from !== undefined && from <= end && found.length < bounds.limit) {
        const to: number = Math.min(end, from + SPAN - 1);
        found.push(...(await span(key, from, to)));
        from = to < end ? await edge(queries.firstFrom, key, to + 1, end) : undefined;
      }
      return found.slice(0, Math.max(0, bounds.limit)).map(decodePoint);
    },
    async bounds(key) {
      const hint = await known(key);
      if (!hint) return undefined;
      const first = await edge(queries.firstFrom, key, hint.first, hint.last);
      const last = await edge(queries.lastTo, key, hint.first, hint.last);
      return first === undefined || last === undefined ? undefined : { first, last };
    },
  };
}

export function kyselyTimeline(queries: TimelineQueries, session: SqlSession): Timeline {
  return {
    ...kyselyReadTimeline(queries, session),
    async put(key, point) {
      const row = { ...names(key), bucket: point.epoch_div, payload: encodePoint(point) };
      await queries.put(session, row);
      await queries.putSeries(session, row);
    },
    async prune(system, below, limit) {
      const bounds = { system: cleanText(system), below: clamp(below), limit: Math.max(0, Math.floor(limit)) };
      const { changes } = await queries.prune(session, bounds);
      // Only then is nothing left below, and the series may be told so.
      if (changes < bounds.limit) {
        await queries.forget(session, bounds);
        await queries.pruneSeries(session, bounds);
      }
      return changes;
    },
    async drop(server) {
      const gone = (await queries.dropSeries(session, { server: cleanText(server) })).rows;
      for (const { system, first, last } of gone)
        await queries.dropPoints(session, { server: cleanText(server), system, from: first, to: last });
    },
  };
}

type Packed = [number, number, TimelinePoint["totals"], ...unknown[]];

/** A list in place of an object: the names of the members are not worth their bytes. The bucket is in the key. */
function encodePoint({ date, count, totals, alerts, deltas, counts }: TimelinePoint): string {
  const packed: unknown[] = [date, count, totals, alerts ?? 0, deltas ?? 0, counts ?? 0];
  while (packed.at(-1) === 0 && packed.length > 3) packed.pop();
  return JSON.stringify(packed);
}

function decodePoint(row: SqlRow): TimelinePoint {
  const [date, count, totals, alerts, deltas, counts] = JSON.parse(row["payload"] as string) as Packed;
  return {
    epoch_div: bucketOf(row),
    date,
    count,
    totals,
    ...(alerts ? { alerts } : {}),
    ...(deltas ? { deltas } : {}),
    ...(counts ? { counts } : {}),
  } as TimelinePoint;
}
