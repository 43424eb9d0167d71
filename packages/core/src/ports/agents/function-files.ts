import { displayName, outputName } from "../../lib/files/file-names.ts";
import type { Clock } from "../clock.ts";
import type { IdGenerator } from "../ids.ts";
import type { BlobStore } from "../storage/blob-store.ts";
import type { FunctionFiles } from "./agent-transport.ts";

/** A file that a job keeps, as its agent reports it (docs/contract/jobs.md#operations-of-agents). */
export interface KeptFile {
  readonly id: string;
  /** Unix seconds. */
  readonly date: number;
  readonly filename: string;
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly server: string;
  readonly job: string;
}

/** The job whose files are read and kept, and their store. */
export interface FunctionFilesOptions {
  readonly blobs: BlobStore;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly job: string;
  readonly server: string;
  /** `input.files` of the job, as it was sent. */
  readonly input: unknown;
  /** True when no more files are kept. */
  readonly isOver: () => boolean;
}

const MAX_FILES = 1000;

/**
 * Store key of an input file, for agents that share the store: the path that an agent was sent, without the token for fetching it
 * by HTTP. Undefined for other paths: the store also holds logs of other jobs, and packages.
 */
export function inputFileKey(path: string): string | undefined {
  const [key = ""] = path.split("?", 1);
  return key.startsWith("files/") ? key : undefined;
}

/** For agents that run functions of the host: the input files of one job, and its kept files, oldest first. */
export function createFunctionFiles(options: FunctionFilesOptions): {
  readonly files: FunctionFiles;
  readonly kept: readonly KeptFile[];
} {
  const { blobs } = options;
  const input = inputOf(options.input);
  const kept: KeptFile[] = [];
  let begun = 0;
  async function* read(filename: string): AsyncGenerator<Uint8Array> {
    const path = input.find((file) => file.filename === filename)?.path ?? "";
    const key = inputFileKey(path);
    const blob = key === undefined ? undefined : await blobs.get(key);
    if (!blob) throw new Error(`Input file not found: ${filename}`);
    yield* blob.content;
  }
  return {
    kept,
    files: {
      input: input.map(({ filename, sizeBytes }) => ({ filename, sizeBytes })),
      read,
      async write(filename, content) {
        begun += 1;
        kept.push(await keep(options, filename, { content, count: begun }));
      },
    },
  };
}

interface Kept {
  readonly content: Parameters<FunctionFiles["write"]>[1];
  /** Number of kept files, including this one. */
  readonly count: number;
}

async function keep(
  { blobs, clock, ids, job, server, isOver }: FunctionFilesOptions,
  given: string,
  { content, count }: Kept,
): Promise<KeptFile> {
  if (isOver()) throw new Error("The job is over");
  if (count > MAX_FILES) throw new Error(`A job has ${MAX_FILES} files at most`);
  const stored = outputName(given);
  if (/^\.*$/.test(stored)) throw new Error(`Malformed name of a file: ${given.slice(0, 100)}`);
  const path = `files/jobs/${job}/${ids.token()}/${stored}`;
  const { sizeBytes } = await blobs.put(path, piecesOf(content));
  // The file would be orphaned: no record would ever name it.
  if (isOver()) {
    await blobs.delete(path);
    throw new Error("The job is over");
  }
  const filename = displayName(given);
  return { id: ids.short("f"), date: Math.floor(clock.now()), filename, path, size: sizeBytes, server, job };
}

async function* piecesOf(content: Kept["content"]): AsyncGenerator<Uint8Array> {
  if (typeof content === "string") yield Buffer.from(content);
  else if (content instanceof Uint8Array) yield content;
  else yield* content;
}

interface InputFile {
  readonly filename: string;
  readonly path: string;
  readonly sizeBytes: number;
}

function inputOf(files: unknown): InputFile[] {
  const rows: readonly unknown[] = Array.isArray(files) ? files.slice(0, MAX_FILES) : [];
  return rows.flatMap((row) => {
    const { filename, path, size } = Object(row) as Readonly<Record<string, unknown>>;
    if (typeof filename !== "string" || typeof path !== "string") return [];
    return [{ filename, path, sizeBytes: typeof size === "number" ? size : 0 }];
  });
}
