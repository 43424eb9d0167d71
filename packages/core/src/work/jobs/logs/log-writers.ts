import type { Logger } from "../../../ports/logger.ts";
import type { ReadTx, Storage, WriteTx } from "../../../ports/storage/storage.ts";
import { equal, hasWord } from "../../../search/ast.ts";
import { activeJobCollection, jobLogChunkCollection } from "../collection.ts";
import { afterBytes, firstBytes, piecesOf } from "./rules/log-text.ts";

/** Most bytes of output stored per job; later output is dropped with a notice. */
export const MAX_LOG_BYTES = 64 * 1024 * 1024;
/** Buffered text above this size is written at once. */
const MAX_WAITING_BYTES = 256 * 1024;
/** Bound of the buffer while the storage refuses writes or hangs. */
const MAX_BACKLOG_BYTES = 4 * 1024 * 1024;
const NOTICE = "\n[The rest of the output was dropped: it is larger than 64 MB]\n";
const LOST = "[Output was lost: it could not be stored]\n";

/** End of a job's stored output: number of the next chunk, and bytes before it. */
export interface ChunkEnd {
  readonly number: number;
  readonly bytes: number;
}

/** Buffers of output that must be written, by job. */
export interface LogWriters {
  /** Appends text. Returns the bytes of all output, of which `known` came before this node took over the job. */
  append(id: string, text: string, known: number): number;
  /** Buffered output after the first `bytes` bytes; empty when there is a gap in between. */
  waitingAfter(id: string, bytes: number): string;
  waiting(): readonly string[];
  /** True when this process has never tried to write output of the job. */
  isUntouched(id: string): boolean;
  /** Writes buffered output. Never rejects: output that cannot be written stays in the buffer. */
  flush(id: string): Promise<void>;
  /** Writes nothing of the job until it is released, because the job's end takes the buffered output. */
  hold(id: string): Promise<void>;
  release(id: string): void;
  forget(id: string): void;
}

interface Writer {
  waiting: string;
  waitingBytes: number;
  totalBytes: number;
  /** Bytes of output before `waiting`; undefined until a write has looked it up. */
  from: number | undefined;
  /** New text is dropped until the backlog has been written. */
  isLosing: boolean;
  isHeld: boolean;
  /** A write has been tried, so output may be on disk. */
  wasTried: boolean;
  writing: Promise<void>;
}

export const chunkId = (job: string, number: number): string => `${job}.${String(number).padStart(8, "0")}`;
export const chunksOf = (id: string) => hasWord("job", id);

interface Tools {
  readonly storage: Storage;
  readonly log: Logger;
}

async function writeOut({ storage, log }: Tools, id: string, writer: Writer): Promise<void> {
  const text = writer.waiting;
  if (text === "" || writer.isHeld) return;
  writer.wasTried = true;
  try {
    const from = writer.from ?? (await storage.read((tx) => endOnDisk(tx, id))).bytes;
    writer.from = from;
    writer.from = await storage.write((tx) => insertAfter(tx, id, { text, from }));
    writer.waiting = writer.waiting.slice(text.length);
  } catch (error) {
    log.error({ job: id, error }, "Output of a job could not be written; it is tried again");
    if (writer.waitingBytes > MAX_BACKLOG_BYTES) dropExcess(writer);
  }
  writer.waitingBytes = Buffer.byteLength(writer.waiting);
}

export function createLogWriters(storage: Storage, log: Logger): LogWriters {
  const writers = new Map<string, Writer>();

  function flush(id: string): Promise<void> {
    const writer = writers.get(id);
    if (!writer) return Promise.resolve();
    writer.writing = writer.writing.then(() => writeOut({ storage, log }, id, writer));
    return writer.writing;
  }

  return {
    append(id, text, known) {
      const writer = writers.get(id) ?? newWriter(known);
      writers.set(id, writer);
      keep(writer, text);
      if (writer.waitingBytes > MAX_WAITING_BYTES) void flush(id);
      return writer.totalBytes;
    },
    waitingAfter(id, bytes) {
      const { waiting = "", from = bytes } = writers.get(id) ?? {};
      return from > bytes ? "" : afterBytes(waiting, bytes - from);
    },
    isUntouched: (id) => writers.get(id)?.wasTried !== true,
    waiting: () => [...writers].filter(([, writer]) => writer.waiting !== "").map(([id]) => id),
    flush,
    async hold(id) {
      const writer = writers.get(id);
      if (!writer) return;
      writer.isHeld = true;
      await writer.writing;
    },
    release(id) {
      const writer = writers.get(id);
      if (writer) writer.isHeld = false;
    },
    forget: (id) => void writers.delete(id),
  };
}

const newWriter = (totalBytes: number): Writer => ({
  waiting: "",
  waitingBytes: 0,
  totalBytes,
  from: undefined,
  isLosing: false,
  isHeld: false,
  wasTried: false,
  writing: Promise.resolve(),
});

/** Appends the output that fits. The size includes dropped output, so that a `log` limit sees the true amount. */
function keep(writer: Writer, text: string): void {
  const bytes = Buffer.byteLength(text);
  const room = MAX_LOG_BYTES - writer.totalBytes;
  writer.totalBytes += bytes;
  if (room <= 0) return;
  if (writer.waitingBytes > MAX_BACKLOG_BYTES) {
    if (!writer.isLosing) writer.waiting += LOST;
    writer.isLosing = true;
    return;
  }
  writer.isLosing = false;
  writer.waiting += bytes <= room ? text : firstBytes(text, room) + NOTICE;
  writer.waitingBytes += Math.min(bytes, room);
}

/** Drops buffered output. A write may have stored part of it, so the position on disk is looked up again. */
function dropExcess(writer: Writer): void {
  writer.waiting = LOST + writer.waiting.slice(-MAX_WAITING_BYTES);
  writer.from = undefined;
}

/** The end of a job's stored output. */
export async function endOnDisk(tx: ReadTx, id: string): Promise<ChunkEnd> {
  const last = { sortBy: "id", descending: true, limit: 1 };
  const [chunk] = (await tx.collection(jobLogChunkCollection).find(chunksOf(id), last)).rows;
  return chunk ? { number: Number(chunk.id.slice(id.length + 1)) + 1, bytes: chunk.endBytes } : { number: 0, bytes: 0 };
}

interface NewText {
  readonly text: string;
  /** Bytes of output before the text. */
  readonly from: number;
}

/**
 * Writes only output that is not on disk yet, so that retrying a write with an unknown outcome stores nothing twice. Returns the
 * bytes on disk. Output that arrives after the end of its job is dropped.
 */
async function insertAfter(tx: WriteTx, id: string, { text, from }: NewText): Promise<number> {
  const end = await endOnDisk(tx, id);
  const { total } = await tx.collection(activeJobCollection).find(equal("id", id), { limit: 1 });
  if (total === 0) return end.bytes;
  return (await insertChunks(tx, id, { text: afterBytes(text, end.bytes - from), end })).bytes;
}

/** Appends a text as chunks; returns the new end. */
export async function insertChunks(
  tx: WriteTx,
  job: string,
  { text, end }: { readonly text: string; readonly end: ChunkEnd },
): Promise<ChunkEnd> {
  let { number, bytes } = end;
  for (const piece of piecesOf(text)) {
    bytes += Buffer.byteLength(piece);
    await tx.collection(jobLogChunkCollection).insert({ id: chunkId(job, number), job, text: piece, endBytes: bytes });
    number++;
  }
  return { number, bytes };
}
