import type { Timeline, TimelineEntry } from "@signalbox/core/storage";
import { cleanText } from "@signalbox/core/storage";
import { CHUNK } from "./format/chunks.ts";
import { encodeRow } from "./format/rows.ts";
import { dropJournal } from "./journal.ts";
import { firstSlot } from "./packed.ts";
import { readTimeline } from "./read.ts";
import { cleanKey, findSeries, slotOf, type TimelineSession } from "./series.ts";
import { tidyTimeline } from "./tidy.ts";

export function writeTimeline(on: TimelineSession): Timeline {
  return {
    ...readTimeline(on),
    put: (key, point) => putAll(on, [{ ...cleanKey(key), point }]),
    putMany: (entries) => putAll(on, entries),
    tidy: (system, below, limit) => tidyTimeline(on, cleanText(system), below, limit),
    prune: (system, below, limit) => prune(on, cleanText(system), slotOf(below), limit),
    drop: (server) => drop(on, cleanText(server)),
  };
}

async function putAll({ queries, session, shapes }: TimelineSession, entries: readonly TimelineEntry[]): Promise<void> {
  const rows = new Map<string, Map<number, Map<string, readonly unknown[]>>>();
  const reached = new Map<string, Map<string, readonly [number, number]>>();
  for (const entry of entries) {
    const { server, system } = cleanKey(entry);
    const { point, after } = entry;
    const bucket = point.epoch_div;
    const known = shapes.of(point);
    const shape = known instanceof Promise ? await known : known;
    // One statement must not write a row twice, so the last one wins.
    const buckets = within(rows, system);
    within(buckets, bucket).set(server, [system, bucket, server, encodeRow(shape, point)]);
    const slot = slotOf(bucket);
    if (after !== undefined && slotOf(after) === slot) continue;
    const slots = within(reached, system);
    const [low, high] = slots.get(server) ?? [slot, slot];
    slots.set(server, [Math.min(low, slot), Math.max(high, slot)]);
  }
  const values = [...rows.values()].flatMap((buckets) => [...buckets.values()].flatMap((all) => [...all.values()]));
  await queries.putRows(session, values);
  const touched = [...reached].flatMap(([system, slots]) =>
    [...slots].map(([server, [low, high]]) => [server, system, low, high]),
  );
  if (touched.length > 0) await queries.touch(session, touched);
}

function within<K, A, B>(all: Map<K, Map<A, B>>, key: K): Map<A, B> {
  const found = all.get(key) ?? new Map<A, B>();
  all.set(key, found);
  return found;
}

/** Rows that take about as long to delete as one chunk. */
const ROWS_PER_CHUNK = 10;

/** Deletes whole slots below `slot`. Returns true if there is more to do. */
async function prune(on: TimelineSession, system: string, slot: number, limit: number): Promise<boolean> {
  const { queries, session } = on;
  const { changes } = await queries.pruneRows(session, { system, below: slot * CHUNK, limit });
  if (changes >= limit) return true;
  const most = Math.max(1, Math.floor(limit / ROWS_PER_CHUNK));
  const { rows } = await queries.overdue(session, { system, slot, limit: most });
  let left = most;
  for (const row of rows) {
    if (left <= 0) return true;
    const number = Number(row["number"]);
    const oldest = await firstSlot(on, number, slot - 1);
    // Skips gaps of any length.
    const next = oldest === undefined ? slot : Math.min(slot, oldest + left);
    if (oldest !== undefined) await queries.pruneChunks(session, { number, slot: next });
    await queries.raiseFirst(session, { number, slot: next });
    left -= oldest === undefined ? 0 : next - oldest;
  }
  return rows.length > 0;
}

/** Deletes the journal's rows now, because another server may get this name. Packed points are deleted by the next tidying. */
async function drop(on: TimelineSession, server: string): Promise<void> {
  const { queries, session } = on;
  const { rows } = await queries.names(session, { server });
  for (const row of rows) {
    const series = await findSeries(on, { server, system: String(row["system"]) });
    if (!series) continue;
    await dropJournal(on, series);
    await queries.disown(session, { number: series.number });
  }
}
