import { ConflictError } from "@signalbox/core/storage";
import type { SqlRow } from "../dialect.ts";
import { CHUNK, encodeChunk } from "./format/chunks.ts";
import { decodeRows, type PackedPoint } from "./format/rows.ts";
import { mergePoints, readPacked } from "./packed.ts";
import { lastOfSlot, slotOf, type TimelineSession } from "./series.ts";

/** Bytes per row: this fills the pages of both SQLite and PostgreSQL well, for chunks of any length. */
const PIECE = 650;
/** Bytes of the journal that one step packs, which takes a few milliseconds. */
const STEP_BYTES = 300_000;
/** Pieces of dropped servers that one step deletes. */
const SWEEP = 200;

/**
 * Performs one bounded step; returns true if there is more to do. Rows move from the journal into a chunk in the same
 * transaction.
 */
export async function tidyTimeline(
  on: TimelineSession,
  system: string,
  below: number,
  limit: number,
): Promise<boolean> {
  const { queries, session } = on;
  // Two at once could read the same chunk, and the later one would lose the points added by the other.
  await queries.lock(session, `history ${system}`);
  if (await sweep(on)) return true;
  const [oldest] = (await queries.oldest(session, { system })).rows;
  if (!oldest) return false;
  const bucket = Number(oldest["bucket"]);
  const slot = slotOf(bucket);
  if ((slot + 1) * CHUNK > below) return false;
  const ripe = (await queries.ripe(session, { system, bucket, limit })).rows;
  const group = withinBudget(ripe);
  const rows = await takeRows(on, { system, ...bucketsOf(slot) }, group);
  for (const [server, own] of Map.groupBy(rows, (row) => String(row["server"]))) {
    const known = group.find((row) => row["server"] === server)?.["number"] ?? undefined;
    const number = known === undefined ? await numberOf(on, server, system, slot) : Number(known);
    await pack(on, { number, slot }, own);
  }
  return true;
}

async function sweep({ queries, session }: TimelineSession): Promise<boolean> {
  const [orphan] = (await queries.orphan(session)).rows;
  if (!orphan) return false;
  const number = Number(orphan["number"]);
  const { changes } = await queries.sweep(session, { number, limit: SWEEP });
  if (changes < SWEEP) await queries.forget(session, { number });
  return true;
}

/** Servers that one step may pack, estimated from the size of their oldest rows. */
function withinBudget(ripe: readonly SqlRow[]): readonly SqlRow[] {
  let bytes = 0;
  const end = ripe.findIndex(({ size }) => {
    bytes += Number(size) * CHUNK;
    return bytes > STEP_BYTES;
  });
  return ripe.slice(0, end < 0 ? ripe.length : Math.max(1, end));
}

/** Removes and returns the journal's rows of a slot, for the servers from the first to the last of a group. */
async function takeRows(
  { queries, session }: TimelineSession,
  place: Readonly<Record<string, unknown>>,
  group: readonly SqlRow[],
): Promise<readonly SqlRow[]> {
  const first = group[0]?.["server"];
  // Servers in between that sent nothing in the oldest minute are included, unless they are too many.
  const most = 2 * CHUNK * group.length + 1;
  let within = { ...place, first, last: group.at(-1)?.["server"] };
  let { rows } = await queries.ripeRows(session, { ...within, limit: most });
  if (rows.length === most) {
    within = { ...place, first, last: first };
    ({ rows } = await queries.ripeRows(session, { ...within, limit: most }));
  }
  const { changes } = await queries.dropRipe(session, within);
  if (changes !== rows.length) throw new ConflictError("A minute was written while its hour was being packed");
  return rows;
}

interface Place {
  readonly number: number;
  readonly slot: number;
}

async function pack(on: TimelineSession, { number, slot }: Place, rows: readonly SqlRow[]): Promise<void> {
  const { queries, session, shapes } = on;
  const points = await decodeRows(rows, shapes.get);
  points.sort((a, b) => a.bucket - b.bucket);
  const bytes = encodeChunk(mergePoints(await takeChunk(on, { number, slot }), points));
  const count = Math.ceil(bytes.length / PIECE);
  const length = Math.ceil(bytes.length / count);
  const pieces = Array.from({ length: count }, (_piece, place) => [
    number,
    slot,
    bytes.subarray(place * length, (place + 1) * length),
  ]);
  await queries.putPieces(session, pieces);
  await queries.notePacked(session, { number, slot });
}

/** Points of the slot that were packed earlier. Deletes their chunk, because they are packed again together with the new rows. */
async function takeChunk(on: TimelineSession, { number, slot }: Place): Promise<PackedPoint[]> {
  const earlier = await readPacked(on, number, { from: slot * CHUNK, to: lastOfSlot(slot) }, CHUNK);
  if (earlier.length > 0) await on.queries.dropChunk(on.session, { number, slot });
  return earlier;
}

/** Rows may have no series if their server was dropped while a writer still knew the series. */
async function numberOf({ queries, session }: TimelineSession, server: string, system: string, slot: number) {
  await queries.touch(session, [[server, system, slot, slot]]);
  const [row] = (await queries.series(session, { server, system })).rows;
  return Number(row?.["number"]);
}

const bucketsOf = (slot: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: CHUNK }, (_unused, place) => [`b${place}`, slot * CHUNK + place]));
