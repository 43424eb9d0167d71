import { Readable } from "node:stream";
import type { BlobStore } from "@signalbox/core/adapter";
import { InputError, type Upload } from "@signalbox/core/plugin";
import type { Settings } from "../settings.ts";

/** Most characters of a file name in a key: enough for every tool to recognise the file's type. */
const MAX_KEY_NAME = 100;
/** Most bytes of a name that the receiver's file system accepts. */
const MAX_NAME_BYTES = 255;

/** A file of a form that is being received. */
export interface ComingFile {
  readonly field: string;
  readonly filename: string | undefined;
  readonly content: Readable;
  /** Called when storing fails. */
  failed(error: Error): void;
  /** Whether its sender is admitted; until that is known, the file is kept in memory. */
  readonly isAdmitted: boolean | Promise<boolean>;
}

/** The files of one request, while they are written to the blob store. */
export interface UploadBatch {
  /** Starts to store a file. Throws `InputError` for a bad name. */
  take(file: ComingFile): void;
  /**
   * Waits until all files are stored. Files in memory are stored only if `admit` resolves to true; otherwise there are no files.
   * Throws `InputError` for an empty file.
   */
  finish(admit: () => Promise<boolean>): Promise<Upload[]>;
  /** Removes every temporary blob, even after a failure. Never throws. */
  discard(): Promise<void>;
}

/** A file; if its sender is not known yet, with its content. */
interface Taken extends Upload {
  readonly held?: readonly Uint8Array[];
}

interface State extends Pick<Settings, "log"> {
  readonly blobs: BlobStore;
  readonly folder: string;
  readonly fields: Set<string>;
  readonly taken: Promise<Taken>[];
  readonly keys: string[];
}

export function createUploadBatch({ engine: { blobs }, ids, log }: Settings): UploadBatch {
  const state: State = { blobs, log, folder: `tmp/${ids.token()}`, fields: new Set(), taken: [], keys: [] };
  return {
    take: (file) => take(state, file),
    finish: (admit) => finish(state, admit),
    async discard() {
      // Waits first, because a file that is still being written would reappear after its deletion.
      await Promise.allSettled(state.taken);
      for (const key of state.keys.splice(0))
        await blobs
          .delete(key)
          .catch((error: unknown) => log.error({ key, error }, "A temporary upload stayed behind"));
    },
  };
}

function take(state: State, file: ComingFile): void {
  const { fields, folder, taken } = state;
  const name = checkName(file.field, file.filename);
  // Only the first file of a field counts; further ones are read and dropped.
  if (fields.has(file.field)) {
    file.content.resume();
    return;
  }
  fields.add(file.field);
  const safe = name.replace(/[^A-Za-z0-9_.-]/g, "_").slice(-MAX_KEY_NAME);
  const kept = keep(state, file, { filename: name, key: `${folder}/${taken.length}-${safe}` });
  kept.catch(file.failed);
  taken.push(kept);
}

async function keep(
  { blobs, keys }: State,
  { field, content, isAdmitted }: ComingFile,
  { filename, key }: Pick<Upload, "filename" | "key">,
): Promise<Taken> {
  if (!(await isAdmitted)) {
    const held = await Array.fromAsync(content as AsyncIterable<Uint8Array>);
    return { field, filename, sizeBytes: held.reduce((sum, { length }) => sum + length, 0), key, held };
  }
  keys.push(key);
  const { sizeBytes } = await blobs.put(key, content);
  return { field, filename, sizeBytes, key };
}

async function finish(state: State, admit: () => Promise<boolean>): Promise<Upload[]> {
  const files = await Promise.all(state.taken);
  for (const { field, sizeBytes } of files)
    if (sizeBytes === 0) throw new InputError(`File '${field}' is missing required size property, or is zero bytes.`);
  if (files.some(({ held }) => held !== undefined) && !(await admit())) return [];
  const uploads: Upload[] = [];
  for (const file of files) uploads.push(await store(state, file));
  return uploads;
}

async function store({ blobs, keys }: State, { held, ...upload }: Taken): Promise<Upload> {
  if (!held) return upload;
  keys.push(upload.key);
  await blobs.put(upload.key, Readable.from(held));
  return upload;
}

function checkName(field: string, filename: string | undefined): string {
  const name = filename?.trim() ?? "";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for control characters
  if (name === "" || /^\.+$/.test(name) || isTooLong(name) || /[\u0000-\u001f\u007f/\\]/.test(name))
    throw new InputError(`File '${field}' is missing required name property, or name is invalid.`);
  return name;
}

const isTooLong = (name: string): boolean => Buffer.byteLength(name) > MAX_NAME_BYTES;
