import { pipeline, Readable } from "node:stream";
import { createGunzip, createGzip, type Gunzip, type Gzip } from "node:zlib";
import type { Cradle } from "../../../kernel/container.ts";
import { once } from "../../../lib/files/once.ts";
import type { ReadTx, WriteTx } from "../../../ports/storage/storage.ts";
import { jobCollection, jobLogChunkCollection } from "../collection.ts";
import type { FinalJob } from "../model.ts";
import { chunkId, chunksOf, createLogWriters, endOnDisk, insertChunks, type LogWriters } from "./log-writers.ts";
import { afterBytes, lastBytes } from "./rules/log-text.ts";

const PAGE = 50;
const DELETED_AT_ONCE = 500;

export const logKey = (id: string): string => `logs/jobs/${id}/log.txt.gz`;

/** Output of jobs: buffered in memory, written in chunks at most once a second, and moved to its final place at the end. */
export interface JobLogs {
  /** Appends text. Returns the bytes of all output, of which `known` came before this node took over the job. */
  append(id: string, text: string, known: number): number;
  /** Jobs with output that has not been written. */
  waiting(): readonly string[];
  /** Writes the buffered output. */
  flush(ids: readonly string[]): Promise<void>;
  /** Keeps buffered output in memory until the end of the job takes it. */
  hold(id: string): Promise<void>;
  release(id: string): void;
  /** Forgets a job whose log is in its final place. */
  forget(id: string): void;
  /** All output of a running job so far, without a gap even if the job ends while it is read. */
  partial(id: string): AsyncIterable<Uint8Array>;
  /** The log of a finished job, wherever it is stored; undefined when there is none. */
  stored(job: FinalJob): Promise<StoredLog | undefined>;
  /** The last `bytes` of a running job's output; starts at the beginning of a line if it was cut. */
  tail(tx: ReadTx, id: string, bytes: number): Promise<{ readonly sizeBytes: number; readonly text: string }>;
  /** Bytes of a running job's stored output; `endsLine` = the last line is complete. */
  end(tx: ReadTx, id: string): Promise<{ readonly sizeBytes: number; readonly endsLine: boolean }>;
  /** The output after the bytes that are already known, cut at its start if it is long; undefined = nothing new on this node. */
  news(tx: ReadTx, id: string, range: LogRange): Promise<{ sizeBytes: number; text: string } | undefined>;
  /** Size in bytes, and the text if it is at most `limit` bytes; the chunks are then deleted in the same transaction. */
  conclude(tx: WriteTx, id: string, end: LogEnd): Promise<ConcludedLog>;
  /** Moves a large log to the blob store and deletes its chunks. */
  archive(id: string): Promise<void>;
  /** Deletes chunks and blob. */
  remove(id: string): Promise<void>;
}

export interface StoredLog {
  readonly compressed: boolean;
  readonly content: AsyncIterable<Uint8Array>;
}

export interface LogEnd {
  /** Most bytes of text in the final record. */
  readonly limit: number;
  /** Output that has not been appended. */
  readonly rest: string;
  /** This process has received all output of the job. */
  readonly isOwn: boolean;
}

export interface LogRange {
  /** Bytes of output that are already known. */
  readonly after: number;
  /** Most bytes of text; a cut text starts at the beginning of a line. */
  readonly most: number;
}

export interface ConcludedLog {
  readonly sizeBytes: number;
  readonly text: string | undefined;
  /** Chunks remain, which `archive` deletes. */
  readonly leftOver: boolean;
}

type Deps = Pick<Cradle, "storage" | "blobs" | "log">;

export function createJobLogs(deps: Deps): JobLogs {
  const { storage, blobs } = deps;
  const writers = createLogWriters(storage, deps.log);
  const partial = (id: string): AsyncGenerator<Uint8Array> => readAll(deps, writers, id);
  return {
    append: writers.append,
    waiting: writers.waiting,
    async flush(ids) {
      for (const id of ids) await writers.flush(id);
    },
    hold: writers.hold,
    release: writers.release,
    forget: writers.forget,
    partial,
    stored: (job) => storedLog(deps, job, partial),
    async tail(tx, id, bytes) {
      const { sizeBytes, text } = await endOf(tx, writers, { id, bytes: bytes + 1 });
      return { sizeBytes, text: lastBytes(text, bytes) };
    },
    async end(tx, id) {
      const { number, bytes } = await endOnDisk(tx, id);
      const last = await tx.collection(jobLogChunkCollection).get(chunkId(id, number - 1));
      return { sizeBytes: bytes, endsLine: last === undefined || last.text.endsWith("\n") };
    },
    async news(tx, id, { after, most }) {
      const { sizeBytes, text } = await endOf(tx, writers, { id, bytes: most + 1, after });
      const known = after - (sizeBytes - Buffer.byteLength(text));
      return sizeBytes <= after ? undefined : { sizeBytes, text: lastBytes(afterBytes(text, known), most) };
    },
    conclude: (tx, id, end) => conclude(tx, writers, { id, ...end }),
    archive: (id) => archive(deps, id, partial(id)),
    async remove(id) {
      writers.forget(id);
      await deleteChunks(deps, id);
      await blobs.delete(logKey(id));
    },
  };
}

async function storedLog(
  { blobs }: Deps,
  { id, ephemeral, output, log_uploaded: isUploaded, log_file_size: size = 0 }: FinalJob,
  partial: JobLogs["partial"],
): ReturnType<JobLogs["stored"]> {
  if (typeof output === "string") return output === "" ? undefined : { compressed: false, content: once(output) };
  // If a job leaves no record, its large output is not kept either.
  if (!isUploaded) return size > 0 && !ephemeral ? { compressed: false, content: partial(id) } : undefined;
  const blob = await blobs.get(logKey(id));
  return blob && { compressed: true, content: blob.content };
}

const idsOf = (job: string, first: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => chunkId(job, first + index));

async function* readAll(deps: Deps, writers: LogWriters, id: string): AsyncGenerator<Uint8Array> {
  const { storage } = deps;
  // Writes buffered output first: it could otherwise be written and removed from memory while a slow reader reads.
  await writers.flush(id);
  const { number } = await storage.read((tx) => endOnDisk(tx, id));
  let sent = 0;
  for (let first = 0; first < number; first += PAGE) {
    const ids = idsOf(id, first, Math.min(PAGE, number - first));
    const chunks = await storage.read((tx) => tx.collection(jobLogChunkCollection).getMany(ids));
    for (const chunk of chunks) {
      if (!chunk) return yield* readRest(deps, id, sent);
      yield Buffer.from(chunk.text);
      sent = chunk.endBytes;
    }
  }
  yield* readRest(deps, id, sent);
}

/** A job that has ended meanwhile has its log in its record or in the blob store. */
async function* readRest({ storage, blobs }: Deps, id: string, sent: number): AsyncGenerator<Uint8Array> {
  const job = await storage.read((tx) => tx.collection(jobCollection).get(id));
  if (!job || (job.log_file_size ?? 0) <= sent) return;
  const { output, log_uploaded: isUploaded } = job;
  if (typeof output === "string") return yield* once(afterBytes(output, sent));
  const blob = isUploaded ? await blobs.get(logKey(id)) : undefined;
  if (blob) yield* skip(gunzip(blob.content), sent);
}

async function* skip(content: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  let left = bytes;
  for await (const piece of content) {
    if (piece.length > left) yield piece.subarray(left);
    left = Math.max(0, left - piece.length);
  }
}

/** Compresses while streaming, piece by piece. */
export const gzip = (content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> => through(content, createGzip());
const gunzip = (content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> => through(content, createGunzip());

function through(content: AsyncIterable<Uint8Array>, filter: Gzip | Gunzip): AsyncIterable<Uint8Array> {
  // A failing source destroys the filter, which then fails for its reader.
  pipeline(Readable.from(content), filter, () => undefined);
  return filter;
}

interface TailRequest {
  readonly id: string;
  readonly bytes: number;
  /** Output before this byte is not needed. */
  readonly after?: number;
}

interface LogTail {
  /** Size of all output. */
  readonly sizeBytes: number;
  readonly text: string;
}

/** The end of the output: at least the last `bytes` bytes, or all if there are fewer. */
async function endOf(tx: ReadTx, writers: LogWriters, { id, bytes, after = 0 }: TailRequest): Promise<LogTail> {
  const end = await endOnDisk(tx, id);
  const waiting = writers.waitingAfter(id, end.bytes);
  const parts = [waiting];
  const perChunk = end.bytes / Math.max(1, end.number);
  let size = Buffer.byteLength(waiting);
  const sizeBytes = end.bytes + size;
  const wanted = Math.min(bytes, sizeBytes - after);
  for (let left = end.number; left > 0 && size < wanted; ) {
    const count = Math.min(left, PAGE, Math.ceil((wanted - size) / perChunk));
    left -= count;
    const chunks = await tx.collection(jobLogChunkCollection).getMany(idsOf(id, left, count));
    const text = chunks.map((chunk) => chunk?.text ?? "").join("");
    parts.unshift(text);
    size += Buffer.byteLength(text);
  }
  return { sizeBytes, text: parts.join("") };
}

async function conclude(
  tx: WriteTx,
  writers: LogWriters,
  { id, limit, rest, isOwn }: LogEnd & { readonly id: string },
): Promise<ConcludedLog> {
  const chunks = tx.collection(jobLogChunkCollection);
  const end = isOwn && writers.isUntouched(id) ? { number: 0, bytes: 0 } : await endOnDisk(tx, id);
  // Output that the last write did not include, or that came later.
  const waiting = writers.waitingAfter(id, end.bytes) + rest;
  const sizeBytes = end.bytes + Buffer.byteLength(waiting);
  if (sizeBytes > limit) {
    await insertChunks(tx, id, { text: waiting, end });
    return { sizeBytes, text: undefined, leftOver: true };
  }
  let text = "";
  // A large number of small chunks would hold the transaction for long, so queued work deletes them.
  const leftOver = end.number > DELETED_AT_ONCE;
  for (let first = 0; first < end.number; first += PAGE) {
    const ids = idsOf(id, first, Math.min(PAGE, end.number - first));
    for (const chunk of await chunks.getMany(ids)) text += chunk?.text ?? "";
    if (!leftOver) for (const each of ids) await chunks.delete(each);
  }
  return { sizeBytes, text: text + waiting, leftOver };
}

async function archive(deps: Deps, id: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  const { storage, blobs } = deps;
  const record = await storage.read((tx) => tx.collection(jobCollection).get(id));
  if (record && record["output"] === undefined && !record.log_uploaded) {
    await blobs.put(logKey(id), gzip(content));
    const isKept = await storage.write(async (tx) => {
      const jobs = tx.collection(jobCollection);
      if (!(await jobs.get(id))) return false;
      await jobs.update(id, (stored): FinalJob => ({ ...stored, log_uploaded: true }));
      return true;
    });
    // The job was deleted meanwhile, so nothing would ever remove the blob.
    if (!isKept) await blobs.delete(logKey(id));
  }
  await deleteChunks(deps, id);
}

async function deleteChunks({ storage }: Deps, id: string): Promise<void> {
  for (let left = true; left; )
    left = await storage.write(async (tx) => {
      const chunks = tx.collection(jobLogChunkCollection);
      const { rows } = await chunks.find(chunksOf(id), { limit: DELETED_AT_ONCE });
      for (const chunk of rows) await chunks.delete(chunk.id);
      return rows.length === DELETED_AT_ONCE;
    });
}
