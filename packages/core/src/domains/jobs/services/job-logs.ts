import { pipeline, Readable } from "node:stream";
import { createGzip } from "node:zlib";
import type { Cradle } from "../../../kernel/container.ts";
import type { ReadTx, WriteTx } from "../../../ports/storage.ts";
import { jobCollection, jobLogChunkCollection } from "../collection.ts";
import type { FinalJob } from "../model.ts";
import { chunkId, chunksOf, createLogWriters, endOnDisk, type LogWriters } from "./log-writers.ts";

const PAGE = 50;
const TAIL_PAGE = 10;
const DELETED_AT_ONCE = 500;

export const logKey = (id: string): string => `logs/jobs/${id}/log.txt.gz`;

/** Output of jobs: appended in memory, written in chunks at most once a second, stored for good at the end. */
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
  /** The last `bytes` of a running job's output, beginning at a line when it is cut. */
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
    forget: writers.forget,
    partial,
    async stored({ id, output, log_uploaded: isUploaded, log_file_size: size = 0 }) {
      if (typeof output === "string") return output === "" ? undefined : { compressed: false, content: once(output) };
      if (!isUploaded) return size > 0 ? { compressed: false, content: partial(id) } : undefined;
      const blob = await blobs.get(logKey(id));
      return blob && { compressed: true, content: blob.content };
    },
    tail: async (tx, id, bytes) =>
      lastBytes(await tailOf(tx, id, { waiting: writers.waitingText(id), bytes: bytes + 1 }), bytes),
    conclude,
    archive: (id) => archive(deps, id, partial(id)),
    async remove(id) {
      writers.forget(id);
      await blobs.delete(logKey(id));
      await deleteChunks(deps, id);
    },
  };
}

async function* readAll({ storage }: Deps, writers: LogWriters, id: string): AsyncGenerator<Uint8Array> {
  for (let offset = 0; ; offset += PAGE) {
    const page = { sortBy: "id", offset, limit: PAGE };
    const { rows } = await storage.read((tx) => tx.collection(jobLogChunkCollection).find(chunksOf(id), page));
    for (const { text } of rows) yield Buffer.from(text);
    if (rows.length < PAGE) break;
  }
  const waiting = writers.waitingText(id);
  if (waiting !== "") yield Buffer.from(waiting);
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** Compresses on the way out, piece by piece. */
export function gzip(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const zipped = createGzip();
  // A source that fails destroys the target, which then fails for its reader.
  pipeline(Readable.from(content), zipped, () => undefined);
  return zipped;
}

interface TailRequest {
  readonly waiting: string;
  readonly bytes: number;
}

async function tailOf(tx: ReadTx, id: string, { waiting, bytes }: TailRequest): Promise<string> {
  const parts = [waiting];
  let size = Buffer.byteLength(waiting);
  for (let offset = 0; size < bytes; offset += TAIL_PAGE) {
    const page = { sortBy: "id", descending: true, offset, limit: TAIL_PAGE };
    const { rows } = await tx.collection(jobLogChunkCollection).find(chunksOf(id), page);
    parts.unshift(...rows.map(({ text }) => text).reverse());
    size = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
    if (rows.length < TAIL_PAGE) break;
  }
  return parts.join("");
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

async function archive(deps: Deps, id: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  const { storage, blobs } = deps;
  const record = await storage.read((tx) => tx.collection(jobCollection).get(id));
  if (record && record["output"] === undefined && !record.log_uploaded) {
    await blobs.put(logKey(id), gzip(content));
    await storage.write(async (tx) => {
      const jobs = tx.collection(jobCollection);
      if (await jobs.get(id)) await jobs.update(id, (stored): FinalJob => ({ ...stored, log_uploaded: true }));
    });
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
