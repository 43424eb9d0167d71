import type { SeriesKey } from "@signalbox/core/storage";
import { cleanText } from "@signalbox/core/storage";
import type { SqlSession } from "../dialect.ts";
import { CHUNK } from "./format/chunks.ts";
import type { Shapes } from "./format/shapes.ts";
import type { TimelineQueries } from "./queries.ts";

/** A transaction, with the statements and shapes for reading and writing history. */
export interface TimelineSession {
  readonly queries: TimelineQueries;
  readonly session: SqlSession;
  readonly shapes: Shapes;
}

/** First and last bucket, both included. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface Series {
  readonly key: SeriesKey;
  readonly number: number;
  /** Buckets for which the journal may have rows; empty if it ends before it begins. */
  readonly journal: Span;
}

const MAX_BUCKET = Number.MAX_SAFE_INTEGER;
export const EVERYTHING: Span = { from: -MAX_BUCKET, to: MAX_BUCKET };

export const clampBucket = (bucket: number): number => Math.min(MAX_BUCKET, Math.max(-MAX_BUCKET, Math.ceil(bucket)));
export const slotOf = (bucket: number): number => Math.floor(bucket / CHUNK);
export const lastOfSlot = (slot: number): number => slot * CHUNK + CHUNK - 1;

export const cleanKey = ({ server, system }: SeriesKey): SeriesKey => ({
  server: cleanText(server),
  system: cleanText(system),
});

/** `key` must have been cleaned. */
export async function findSeries({ queries, session }: TimelineSession, key: SeriesKey): Promise<Series | undefined> {
  const { server, system } = key;
  const [row] = (await queries.series(session, { server, system })).rows;
  if (!row) return undefined;
  const journal = { from: Number(row["open_slot"]) * CHUNK, to: lastOfSlot(Number(row["last_slot"])) };
  return { key, number: Number(row["number"]), journal };
}
