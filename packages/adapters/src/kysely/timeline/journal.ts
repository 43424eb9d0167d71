import type { SqlRow } from "../dialect.ts";
import type { Prepared } from "../statements.ts";
import { CHUNK } from "./format/chunks.ts";
import { decodeRows, type PackedPoint } from "./format/rows.ts";
import type { Series, Span, TimelineSession } from "./series.ts";

/** Buckets read by one query, each with a lookup by primary key. */
const WINDOW = 600;

/** Points in the journal within a span, oldest first: the first `limit`, or the last ones if it is negative. */
export async function readJournal(
  on: TimelineSession,
  series: Series,
  span: Span,
  limit: number,
): Promise<PackedPoint[]> {
  const within = { from: Math.max(span.from, series.journal.from), to: Math.min(span.to, series.journal.to) };
  const rows = await (limit > 0 ? readUp : readDown)(on, series, within, Math.abs(limit));
  return decodeRows(rows, on.shapes.get);
}

const windowFor = (limit: number): number => Math.min(WINDOW, Math.max(CHUNK, limit));

async function readUp(on: TimelineSession, { key }: Series, { from, to }: Span, limit: number): Promise<SqlRow[]> {
  const found: SqlRow[] = [];
  let place: number | undefined = from;
  while (place !== undefined && place <= to && found.length < limit) {
    const end: number = Math.min(to, place + windowFor(limit) - 1);
    found.push(...(await on.queries.journal(on.session, { ...key, from: place, to: end })).rows);
    if (found.length >= limit) break;
    place = await edge(on, on.queries.firstFrom, { ...key, from: end + 1, to });
  }
  return found.slice(0, limit);
}

async function readDown(on: TimelineSession, { key }: Series, { from, to }: Span, limit: number): Promise<SqlRow[]> {
  const found: SqlRow[] = [];
  let place: number | undefined = to;
  while (place !== undefined && place >= from && found.length < limit) {
    const end: number = Math.max(from, place - windowFor(limit) + 1);
    found.unshift(...(await on.queries.journal(on.session, { ...key, from: end, to: place })).rows);
    if (found.length >= limit) break;
    place = await edge(on, on.queries.lastTo, { ...key, from, to: end - 1 });
  }
  return found.slice(-limit);
}

/** Deletes all journal rows of a series. */
export async function dropJournal(on: TimelineSession, { key, journal }: Series): Promise<void> {
  let place: number | undefined = journal.from;
  while (place !== undefined && place <= journal.to) {
    const end: number = Math.min(journal.to, place + WINDOW - 1);
    await on.queries.dropRows(on.session, { ...key, from: place, to: end });
    place = await edge(on, on.queries.firstFrom, { ...key, from: end + 1, to: journal.to });
  }
}

/** The nearest stored bucket, across gaps of any length. */
async function edge(
  { session }: TimelineSession,
  query: Prepared,
  within: Span & { readonly server: string; readonly system: string },
): Promise<number | undefined> {
  if (within.from > within.to) return undefined;
  const [row] = (await query(session, { ...within })).rows;
  return row && Number(row["bucket"]);
}
