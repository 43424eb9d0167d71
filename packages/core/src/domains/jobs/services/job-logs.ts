import { pipeline, Readable } from "node:stream";
import { createGzip } from "node:zlib";
import type { Cradle } from "../../../kernel/container.ts";
import type { ReadTx, WriteTx } from "../../../ports/storage.ts";
import { jobCollection, jobLogChunkCollection } from "../collection.ts";
import type { FinalJob, JobLogChunk } from "../model.ts";

/** Bytes of output kept per job; what comes after is dropped with a notice. */
export const MAX_LOG_BYTES = 64 * 1024 * 1024;
/** Text that waits in memory is written at once beyond this size. */
const MAX_WAITING_BYTES = 256 * 1024;
const CHUNK_CHARACTERS = 256 * 1024;
const PAGE = 50;
const TAIL_PAGE = 10;
const DELETED_AT_ONCE = 500;
const NOTICE = "\n[The rest of the output was dropped: it is larger than 64 MB]\n";

export const logKey = (id: string): string => `logs/jobs/${id}/log.txt.gz`;

/** Output of running jobs: appended in memory, written in chunks at most once a second, stored for good at the end. */
export interface JobLogs {
  /** Takes text in; returns the size of all output in bytes, of which `known` came before this node took over. */
  append(id: string, text: string, known: number): number;
  /** Jobs with text that is not on disk. */
  waiting(): readonly string[];
  /** Writes what waits. */
  flush(ids: readonly string[]): Promise<void>;
  /** Forgets a job whose log is stored for good. */
  forget(id: string): void;
  /** All output of a running job that is on disk or waits here. */
  partial(id: string): AsyncIterable<Uint8Array>;
  /** The log of a finished job, wherever it is by now; undefined when there is none. */
  stored(job: FinalJob): Promise<StoredLog | undefined>;
  /** The last `bytes` of it, beginning at a line when it is cut. */
  tail(tx: ReadTx, id: string, bytes: number): Promise<string>;
  /** Size in bytes, and the text when it is at most `limit` bytes; chunks then go in the same transaction. */
  conclude(tx: WriteTx, id: string, limit: number): Promise<ConcludedLog>;
  /** Moves a large log into the blob store and clears its chunks. */
  archive(id: string): Promise<void>;
  /** Removes chunks and blob. */
  remove(id: string): Promise<void>;
}

export interface StoredLog {
  readonly compressed: boolean;
  readonly content: AsyncIterable<Uint8Array>;
}

export interface ConcludedLog {
  readonly sizeBytes: number;
  readonly text: string | undefined;
  /** Chunks are left for `archive`. */
  readonly leftOver: boolean;
}

interface Writer {
  waiting: string;
  waitingBytes: number;
  totalBytes: number;
  /** Where the next chunk goes; undefined until the last one on disk was read. */
  end: ChunkEnd | undefined;
  writing: Promise<void>;
}

interface ChunkEnd {
  readonly number: number;
  readonly bytes: number;
}

type Deps = Pick<Cradle, "storage" | "blobs" | "log">;

const chunkId = (job: string, number: number): string => `${job}.${String(number).padStart(8, "0")}`;
const ofJob = (id: string) => ({ kind: "term", field: "job", words: [id] }) as const;

export function createJobLogs({ storage, blobs, log }: Deps): JobLogs {
  const writers = new Map<string, Writer>();

  function writerOf(id: string, totalBytes: number): Writer {
    const known = writers.get(id);
    if (known) return known;
    const writer: Writer = { waiting: "", waitingBytes: 0, totalBytes, end: undefined, writing: Promise.resolve() };
    writers.set(id, writer);
    return writer;
  }

  /** Keeps what fits; the size goes on counting so that a `log` limit sees the true amount. */
  function keep(writer: Writer, text: string): void {
    const bytes = Buffer.byteLength(text);
    const room = MAX_LOG_BYTES - writer.totalBytes;
    writer.totalBytes += bytes;
    if (room <= 0) return;
    const kept = bytes <= room ? text : Buffer.from(text).subarray(0, room).toString() + NOTICE;
    writer.waiting += kept;
    writer.waitingBytes += Math.min(bytes, room);
  }

  async function writeOut(id: string, writer: Writer): Promise<void> {
    const text = writer.waiting;
    if (text === "") return;
    try {
      writer.end = await storage.write(async (tx) =>
        insertChunks(tx, id, { text, end: writer.end ?? (await endOnDisk(tx, id)) }),
      );
      writer.waiting = writer.waiting.slice(text.length);
      writer.waitingBytes = Buffer.byteLength(writer.waiting);
    } catch (error) {
      log.error({ job: id, error }, "Output of a job could not be written; it is tried again");
      dropExcess(writer);
    }
  }

  function flushOne(id: string): Promise<void> {
    const writer = writers.get(id);
    if (!writer) return Promise.resolve();
    writer.writing = writer.writing.then(() => writeOut(id, writer));
    return writer.writing;
  }

  async function* partial(id: string): AsyncGenerator<Uint8Array> {
    for (let offset = 0; ; offset += PAGE) {
      const page = { sortBy: "id", offset, limit: PAGE };
      const { rows } = await storage.read((tx) => tx.collection(jobLogChunkCollection).find(ofJob(id), page));
      for (const { text } of rows) yield Buffer.from(text);
      if (rows.length < PAGE) break;
    }
    const waiting = writers.get(id)?.waiting ?? "";
    if (waiting !== "") yield Buffer.from(waiting);
  }

  return {
    append(id, text, known) {
      const writer = writerOf(id, known);
      keep(writer, text);
      if (writer.waitingBytes > MAX_WAITING_BYTES) void flushOne(id);
      return writer.totalBytes;
    },
    waiting: () => [...writers].filter(([, writer]) => writer.waiting !== "").map(([id]) => id),
    async flush(ids) {
      for (const id of ids) await flushOne(id);
    },
    forget: (id) => void writers.delete(id),
    partial,
    async stored({ id, output, log_uploaded: isUploaded, log_file_size: size = 0 }) {
      if (typeof output === "string") return output === "" ? undefined : { compressed: false, content: once(output) };
      if (!isUploaded) return size > 0 ? { compressed: false, content: partial(id) } : undefined;
      const blob = await blobs.get(logKey(id));
      return blob && { compressed: true, content: blob.content };
    },
    async tail(tx, id, bytes) {
      const waiting = writers.get(id)?.waiting ?? "";
      return lastBytes(await tailOf(tx, id, { waiting, bytes: bytes + 1 }), bytes);
    },
    conclude: (tx, id, limit) => conclude(tx, id, limit),
    archive: (id) => archive({ storage, blobs }, id, partial(id)),
    async remove(id) {
      writers.delete(id);
      await blobs.delete(logKey(id));
      await deleteChunks(storage, id);
    },
  };
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** Storage that refuses for long must not fill the memory: the oldest text goes. */
function dropExcess(writer: Writer): void {
  const most = 16 * MAX_WAITING_BYTES;
  if (writer.waitingBytes <= most) return;
  writer.waiting = `[Output was lost: it could not be stored]\n${writer.waiting.slice(-most / 4)}`;
  writer.waitingBytes = Buffer.byteLength(writer.waiting);
}

async function endOnDisk(tx: ReadTx, id: string): Promise<ChunkEnd> {
  const last = { sortBy: "id", descending: true, limit: 1 };
  const [chunk] = (await tx.collection(jobLogChunkCollection).find(ofJob(id), last)).rows;
  return chunk ? { number: Number(chunk.id.slice(id.length + 1)) + 1, bytes: chunk.endBytes } : { number: 0, bytes: 0 };
}

async function insertChunks(
  tx: WriteTx,
  job: string,
  { text, end }: { text: string; end: ChunkEnd },
): Promise<ChunkEnd> {
  let { number, bytes } = end;
  for (let start = 0; start < text.length; number++) {
    const part = slice(text, start);
    bytes += Buffer.byteLength(part);
    await tx.collection(jobLogChunkCollection).insert({ id: chunkId(job, number), job, text: part, endBytes: bytes });
    start += part.length;
  }
  return { number, bytes };
}

/** The next piece; a character of two units is not torn apart. */
function slice(text: string, start: number): string {
  const end = Math.min(text.length, start + CHUNK_CHARACTERS);
  const isTorn = end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1));
  return text.slice(start, isTorn ? end - 1 : end);
}

async function tailOf(tx: ReadTx, id: string, { waiting, bytes }: { waiting: string; bytes: number }): Promise<string> {
  let text = waiting;
  let size = Buffer.byteLength(text);
  for (let offset = 0; size < bytes; offset += TAIL_PAGE) {
    const page = { sortBy: "id", descending: true, offset, limit: TAIL_PAGE };
    const { rows } = await tx.collection(jobLogChunkCollection).find(ofJob(id), page);
    for (const chunk of rows) {
      if (size >= bytes) break;
      text = chunk.text + text;
      size += Buffer.byteLength(chunk.text);
    }
    if (rows.length < TAIL_PAGE) break;
  }
  return text;
}

/** The end of a text; the first line goes when it is cut. */
export function lastBytes(text: string, bytes: number): string {
  const whole = Buffer.from(text);
  if (whole.length <= bytes) return text;
  const cut = whole.subarray(whole.length - bytes).toString();
  return cut.slice(cut.indexOf("\n") + 1);
}

async function conclude(tx: WriteTx, id: string, limit: number): Promise<ConcludedLog> {
  const chunks = tx.collection(jobLogChunkCollection);
  const { bytes, number } = await endOnDisk(tx, id);
  if (bytes > limit) return { sizeBytes: bytes, text: undefined, leftOver: true };
  let text = "";
  // Very many small pieces are cleared by queued work instead: that would hold the transaction for long.
  const leftOver = number > DELETED_AT_ONCE;
  for (let offset = 0; offset < number; offset += PAGE) {
    const ids = Array.from({ length: Math.min(PAGE, number - offset) }, (_, index) => chunkId(id, offset + index));
    for (const chunk of await chunks.getMany(ids)) text += chunk?.text ?? "";
    if (!leftOver) for (const each of ids) await chunks.delete(each);
  }
  return { sizeBytes: bytes, text, leftOver };
}

async function archive(
  { storage, blobs }: Omit<Deps, "log">,
  id: string,
  content: AsyncIterable<Uint8Array>,
): Promise<void> {
  const record = await storage.read((tx) => tx.collection(jobCollection).get(id));
  if (record && record["output"] === undefined && !record.log_uploaded) {
    const zipped = createGzip();
    // A source that fails destroys the target, which then fails for its reader.
    pipeline(Readable.from(content), zipped, () => undefined);
    await blobs.put(logKey(id), zipped);
    await storage.write(async (tx) => {
      const jobs = tx.collection(jobCollection);
      if (await jobs.get(id)) await jobs.update(id, (stored): FinalJob => ({ ...stored, log_uploaded: true }));
    });
  }
  await deleteChunks(storage, id);
}

async function deleteChunks(storage: Cradle["storage"], id: string): Promise<void> {
  for (let left = true; left; )
    left = await storage.write(async (tx) => {
      const chunks = tx.collection(jobLogChunkCollection);
      const { rows } = await chunks.find(ofJob(id), { limit: DELETED_AT_ONCE });
      for (const chunk of rows) await chunks.delete(chunk.id);
      return rows.length === DELETED_AT_ONCE;
    });
}
