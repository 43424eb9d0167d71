import type { Logger } from "../../../ports/logger.ts";
import type { ReadTx, Storage, WriteTx } from "../../../ports/storage.ts";
import { jobLogChunkCollection } from "../collection.ts";

/** Bytes of output kept per job; what comes after is dropped with a notice. */
export const MAX_LOG_BYTES = 64 * 1024 * 1024;
/** Text that waits in memory is written at once beyond this size. */
const MAX_WAITING_BYTES = 256 * 1024;
/** Storage that refuses for long must not fill the memory. */
const MAX_BACKLOG_BYTES = 4 * 1024 * 1024;
const CHUNK_CHARACTERS = 256 * 1024;
const NOTICE = "\n[The rest of the output was dropped: it is larger than 64 MB]\n";
const LOST = "[Output was lost: it could not be stored]\n";

/** Where the next chunk of a job's output goes. */
export interface ChunkEnd {
  readonly number: number;
  readonly bytes: number;
}

/** Output that waits to be written, by job. */
export interface LogWriters {
  /** Takes text in; returns the size of all output, of which `known` bytes came before this node took over. */
  append(id: string, text: string, known: number): number;
  /** Text that is not on disk. */
  waitingText(id: string): string;
  waiting(): readonly string[];
  flush(id: string): Promise<void>;
  forget(id: string): void;
}

interface Writer {
  waiting: string;
  waitingBytes: number;
  totalBytes: number;
  /** Undefined until the last chunk on disk was read. */
  end: ChunkEnd | undefined;
  writing: Promise<void>;
}

export const chunkId = (job: string, number: number): string => `${job}.${String(number).padStart(8, "0")}`;
export const chunksOf = (id: string) => ({ kind: "term", field: "job", words: [id] }) as const;

export function createLogWriters(storage: Storage, log: Logger): LogWriters {
  const writers = new Map<string, Writer>();

  async function writeOut(id: string, writer: Writer): Promise<void> {
    const text = writer.waiting;
    if (text === "") return;
    try {
      writer.end = await storage.write(async (tx) =>
        insertChunks(tx, id, { text, end: writer.end ?? (await endOnDisk(tx, id)) }),
      );
      writer.waiting = writer.waiting.slice(text.length);
    } catch (error) {
      log.error({ job: id, error }, "Output of a job could not be written; it is tried again");
      dropExcess(writer);
    }
    writer.waitingBytes = Buffer.byteLength(writer.waiting);
  }

  function flush(id: string): Promise<void> {
    const writer = writers.get(id);
    if (!writer) return Promise.resolve();
    writer.writing = writer.writing.then(() => writeOut(id, writer));
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
    waitingText: (id) => writers.get(id)?.waiting ?? "",
    waiting: () => [...writers].filter(([, writer]) => writer.waiting !== "").map(([id]) => id),
    flush,
    forget: (id) => void writers.delete(id),
  };
}

const newWriter = (totalBytes: number): Writer => ({
  waiting: "",
  waitingBytes: 0,
  totalBytes,
  end: undefined,
  writing: Promise.resolve(),
});

/** Keeps what fits; the size goes on counting so that a `log` limit sees the true amount. */
function keep(writer: Writer, text: string): void {
  const bytes = Buffer.byteLength(text);
  const room = MAX_LOG_BYTES - writer.totalBytes;
  writer.totalBytes += bytes;
  if (room <= 0) return;
  writer.waiting += bytes <= room ? text : Buffer.from(text).subarray(0, room).toString() + NOTICE;
  writer.waitingBytes += Math.min(bytes, room);
}

function dropExcess(writer: Writer): void {
  if (writer.waitingBytes > MAX_BACKLOG_BYTES) writer.waiting = LOST + writer.waiting.slice(-MAX_WAITING_BYTES);
}

/** The end of what is stored of a job's output. */
export async function endOnDisk(tx: ReadTx, id: string): Promise<ChunkEnd> {
  const last = { sortBy: "id", descending: true, limit: 1 };
  const [chunk] = (await tx.collection(jobLogChunkCollection).find(chunksOf(id), last)).rows;
  return chunk ? { number: Number(chunk.id.slice(id.length + 1)) + 1, bytes: chunk.endBytes } : { number: 0, bytes: 0 };
}

interface NewText {
  readonly text: string;
  readonly end: ChunkEnd;
}

async function insertChunks(tx: WriteTx, job: string, { text, end }: NewText): Promise<ChunkEnd> {
  let { number, bytes } = end;
  for (let start = 0; start < text.length; number++) {
    const part = sliceFrom(text, start);
    bytes += Buffer.byteLength(part);
    await tx.collection(jobLogChunkCollection).insert({ id: chunkId(job, number), job, text: part, endBytes: bytes });
    start += part.length;
  }
  return { number, bytes };
}

/** The next piece; a character of two units is not torn apart. */
function sliceFrom(text: string, start: number): string {
  const end = Math.min(text.length, start + CHUNK_CHARACTERS);
  const isTorn = end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1));
  return text.slice(start, isTorn ? end - 1 : end);
}
