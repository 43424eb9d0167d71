import type { SqlRow } from "../dialect.ts";
import { CHUNK, decodeChunk } from "./format/chunks.ts";
import { bytesOf, type PackedPoint } from "./format/rows.ts";
import { EVERYTHING, type Span, slotOf, type TimelineSession } from "./series.ts";

/** Pieces read by the first query, for a short and for a long read; each further query reads `GROWTH` times more. */
const FEW = 32;
const MANY = 2000;
const GROWTH = 4;

interface Chunk {
  readonly slot: number;
  readonly bytes: Uint8Array;
}

/** Packed points within a span, oldest first: the first `limit`, or the last when it is negative. */
export async function readPacked(
  on: TimelineSession,
  number: number,
  span: Span,
  limit: number,
): Promise<PackedPoint[]> {
  const wanted = Math.abs(limit);
  const decoded: PackedPoint[][] = [];
  let found = 0;
  for await (const { slot, bytes } of chunksOf(on, number, span, limit)) {
    const points = await decodeChunk(bytes, slot, on.shapes.get);
    const inside = points.filter(({ bucket }) => bucket >= span.from && bucket <= span.to);
    decoded.push(inside);
    found += inside.length;
    if (found >= wanted) break;
  }
  return limit > 0 ? decoded.flat().slice(0, limit) : decoded.reverse().flat().slice(limit);
}

interface Slots {
  readonly from: number;
  readonly to: number;
}

const after = (left: Slots, slot: number): Slots => ({ from: slot + 1, to: left.to });
const before = (left: Slots, slot: number): Slots => ({ from: left.from, to: slot - 1 });

/** Yields chunks from the oldest, or from the newest if the limit is negative. */
async function* chunksOf(
  { queries, session }: TimelineSession,
  number: number,
  span: Span,
  limit: number,
): AsyncGenerator<Chunk> {
  const [query, rest] = limit > 0 ? [queries.chunksUp, after] : [queries.chunksDown, before];
  let left: Slots = { from: slotOf(span.from), to: slotOf(span.to) };
  let isAll = false;
  for (let pieces = Math.abs(limit) > CHUNK ? MANY : FEW; !isAll; pieces *= GROWTH) {
    const { rows } = await query(session, { number, ...left, limit: pieces });
    isAll = rows.length < pieces;
    // The last chunk reached may be incomplete.
    for (const { slot, parts } of joinPieces(rows).slice(0, isAll ? undefined : -1)) {
      yield { slot, bytes: Buffer.concat(limit > 0 ? parts : parts.toReversed()) };
      left = rest(left, slot);
    }
  }
}

/** The oldest packed slot up to `to`. */
export async function firstSlot(
  { queries, session }: TimelineSession,
  number: number,
  to: number,
): Promise<number | undefined> {
  const [row] = (await queries.chunksUp(session, { number, from: EVERYTHING.from, to, limit: 1 })).rows;
  return row && Number(row["slot"]);
}

/** True if no chunk of the series reaches the slot of the bucket. */
export async function isBeyondPacked(
  { queries, session }: TimelineSession,
  number: number,
  bucket: number,
): Promise<boolean> {
  const { rows } = await queries.chunksUp(session, { number, from: slotOf(bucket), to: EVERYTHING.to, limit: 1 });
  return rows.length === 0;
}

interface Pieces {
  readonly slot: number;
  readonly parts: Uint8Array[];
}

/** Groups rows by chunk, in their order. */
function joinPieces(rows: readonly SqlRow[]): Pieces[] {
  const chunks: Pieces[] = [];
  for (const row of rows) {
    const slot = Number(row["slot"]);
    const last = chunks.at(-1);
    if (last?.slot === slot) last.parts.push(bytesOf(row["payload"]));
    else chunks.push({ slot, parts: [bytesOf(row["payload"])] });
  }
  return chunks;
}

/** Merges both lists by bucket; a row of the journal replaces a packed point. */
export function mergePoints(packed: readonly PackedPoint[], rows: readonly PackedPoint[]): PackedPoint[] {
  const [first] = rows;
  const last = packed.at(-1);
  if (!first || !last || last.bucket < first.bucket) return [...packed, ...rows];
  const byBucket = new Map([...packed, ...rows].map((point) => [point.bucket, point]));
  return [...byBucket.values()].sort((a, b) => a.bucket - b.bucket);
}
