import type { Cradle } from "../../../../kernel/container.ts";
import { type Loop, pause } from "../../../../kernel/running/loops.ts";
import { bytesIn, type TextPieces, writePieces } from "../../../../lib/text/text-pieces.ts";
import type { HostRecord } from "../../../servers/model.ts";
import {
  isTaken,
  keyFrom,
  outdatedParts,
  partKey,
  RING_FOLDER,
  type RingPart,
  readPart,
  strideOf,
} from "../../rules/minutes/minute-ring.ts";

/**
 * Full minutes of the last days as they were sent; timelines only have their numbers. With many servers only some of
 * each server's minutes are kept, so that the whole time span fits. Storing every one would take 65 µs for 19 KB, a
 * quarter of the whole cost of a minute.
 */
export interface MinuteRing {
  /** Offers a stored minute to the ring. Call it in `afterCommit`. */
  keep(minute: FullMinute): void;
  /** Stores the minutes kept since the last flush. Never rejects: minutes that cannot be stored are logged and lost. */
  flush(): Promise<void>;
  /** Minutes of a server with `from` ≤ `date` < `to`, as they were stored. Unix seconds. */
  read(wanted: { readonly server: string; readonly from: number; readonly to: number }): AsyncGenerator<HostRecord>;
  /** Deletes parts that are too old or exceed the size, in steps. `now` is Unix seconds. */
  prune(now: number, signal: AbortSignal): Promise<void>;
}

/** `date` in Unix seconds, `json` the JSON of its record. */
export interface FullMinute {
  readonly id: string;
  readonly date: number;
  readonly json: TextPieces;
}

const DEFAULT_BYTES = 200 * 1_048_576;
/** Most bytes that are stored in one part. */
const MAX_PART = 2_097_152;
/** Most bytes that wait while the blob store is slow, or before the volume is known; minutes beyond are not kept. */
const MAX_WAITING = 2 * MAX_PART;
const LIST_PAGE = 1000;
/** Parts that are deleted between two pauses. */
const STEP = 50;
const PAUSE_MS = 10;
/**
 * Seconds by which the time of a part may be after its oldest minute: usually a minute, more if the blob store is slow.
 */
const LATE_SEC = 600;

type Deps = Pick<Cradle, "blobs" | "clock" | "config" | "ids" | "log">;

export function createMinuteRing(deps: Deps): MinuteRing {
  const { blobs, clock, config } = deps;
  // A blob store in the memory of the host gets a ring only if the configuration asks for it.
  const maxBytes = (): number => config.minute_ring_bytes ?? (blobs.isForgetful ? 0 : DEFAULT_BYTES);
  return {
    ...createIntake(deps, maxBytes),
    read: (wanted) => readMinutes(deps, wanted),
    async prune(now, signal) {
      const bounds = { maxBytes: maxBytes(), since: now - config.minute_ring_hours * 3600 };
      const outdated = outdatedParts(await listParts(deps, RING_FOLDER), bounds);
      for (const [index, { key }] of outdated.entries()) {
        if (signal.aborted) return;
        await blobs.delete(key);
        if (index % STEP === STEP - 1) await pause(clock, PAUSE_MS, signal);
      }
    },
  };
}

function createIntake(deps: Deps, maxBytes: () => number): Pick<MinuteRing, "flush" | "keep"> {
  const strides = createStrides(deps, maxBytes);
  let waiting: Buffer[] = [];
  let length = 0;
  let storing: Promise<void> | undefined;
  const store = async (): Promise<void> => {
    while (waiting.length > 0) {
      const taken = waiting;
      waiting = [];
      length = 0;
      await storePart(deps, taken);
    }
  };
  const flush = (): Promise<void> => {
    strides.measure();
    storing ??= store().finally(() => {
      storing = undefined;
    });
    return storing;
  };
  return {
    flush,
    keep({ id, date, json }) {
      if (maxBytes() === 0) return;
      const stride = strides.offer(bytesIn(json));
      if (length >= MAX_WAITING || !isTaken({ server: id, date }, stride)) return;
      const line = lineOf(json);
      waiting.push(line);
      length += line.length;
      if (length >= MAX_PART) void flush();
    },
  };
}

/** Measures how many bytes arrive per minute, which decides how many minutes are kept. */
function createStrides({ clock, config }: Pick<Deps, "clock" | "config">, maxBytes: () => number) {
  let offered = 0;
  let since = clock.now();
  let stride = 1;
  return {
    offer(bytes: number): number {
      offered += bytes;
      return stride;
    },
    measure(): void {
      const minutes = (clock.now() - since) / 60;
      // Within less than a minute not every server has reported.
      if (minutes < 1) return;
      stride = strideOf({ bytes: offered / minutes, maxBytes: maxBytes(), hours: config.minute_ring_hours });
      offered = 0;
      since = clock.now();
    },
  };
}

const [BREAK, BLANK] = [0x0a, 0x20];

/** Replaces line breaks with blanks: in JSON they only occur between tokens, and an agent may send some. */
function lineOf(json: TextPieces): Buffer {
  const line = Buffer.allocUnsafeSlow(bytesIn(json) + 1);
  writePieces(line, json);
  for (let at = line.indexOf(BREAK); at >= 0; at = line.indexOf(BREAK, at)) line[at] = BLANK;
  line[line.length - 1] = BREAK;
  return line;
}

async function storePart({ blobs, clock, ids, log }: Deps, lines: readonly Buffer[]): Promise<void> {
  const bytes = lines.reduce((sum, { length }) => sum + length, 0);
  try {
    await blobs.put(partKey({ epoch: clock.now(), bytes, id: ids.short("f") }), piecesOf(lines));
  } catch (error) {
    log.error({ error, minutes: lines.length }, "Minutes could not be kept");
  }
}

async function* piecesOf(lines: readonly Buffer[]): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < lines.length; start += 16) yield Buffer.concat(lines.slice(start, start + 16));
}

/** Oldest first. */
async function listParts({ blobs }: Pick<Deps, "blobs">, after: string): Promise<RingPart[]> {
  const parts: RingPart[] = [];
  for (let last = after; ; ) {
    const keys = await blobs.list(RING_FOLDER, { limit: LIST_PAGE, after: last });
    parts.push(...keys.flatMap((key) => readPart(key) ?? []));
    const next = keys.at(-1);
    if (next === undefined || keys.length < LIST_PAGE) return parts;
    last = next;
  }
}

type Wanted = Parameters<MinuteRing["read"]>[0];

async function* readMinutes({ blobs }: Pick<Deps, "blobs">, wanted: Wanted): AsyncGenerator<HostRecord> {
  for (const { key, epoch } of await listParts({ blobs }, keyFrom(wanted.from))) {
    if (epoch >= wanted.to + LATE_SEC) return;
    // Undefined if the part was deleted meanwhile.
    const found = await blobs.get(key);
    for await (const line of linesOf(found?.content ?? [])) {
      const record = recordIn(line, wanted);
      if (record) yield record;
    }
  }
}

function recordIn(line: string, { server, from, to }: Wanted): HostRecord | undefined {
  // Most lines are about other servers, and parsing them would dominate the cost.
  if (!line.includes(server)) return undefined;
  const record = JSON.parse(line) as HostRecord;
  return record.id === server && record.date >= from && record.date < to ? record : undefined;
}

async function* linesOf(content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of content) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

export const ringLoops: readonly Loop[] = [
  {
    name: "monitors.ring",
    everySec: 60,
    on: "every-node",
    run: (_now, { monitors }) => monitors.ring.flush(),
  },
  {
    name: "monitors.ring_prune",
    everySec: 600,
    on: "leader",
    run: (now, { monitors }, signal) => monitors.ring.prune(now, signal),
  },
];
