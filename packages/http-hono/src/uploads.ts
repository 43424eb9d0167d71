import type { Readable } from "node:stream";
import { InputError, type Upload } from "@signalbox/core";
import type { Settings } from "./settings.ts";

/** Long enough for every tool to recognise a file, short enough for a key. */
const MAX_KEY_NAME = 100;
/** Bytes that the file system of whoever gets the file takes for a name. */
const MAX_NAME_BYTES = 255;

/** The files of one request on their way into the blob store. */
export interface UploadBatch {
  /** Starts to store a file. Throws `InputError` for a bad name. `failed` is told when storing breaks. */
  take(field: string, filename: string | undefined, content: Readable, failed: (error: Error) => void): void;
  /** Waits until everything is stored. Throws `InputError` for an empty file. */
  finish(): Promise<Upload[]>;
  /** Removes every temporary blob, whatever happened before. Never throws. */
  discard(): Promise<void>;
}

export function createUploadBatch({ engine: { blobs }, ids, log }: Settings): UploadBatch {
  const folder = `tmp/${ids.token()}`;
  const fields = new Set<string>();
  const stored: Promise<Upload>[] = [];
  const keys: string[] = [];
  return {
    take(field, filename, content, failed) {
      const name = checkName(field, filename);
      // The first file of a field counts; more of them are read and dropped.
      if (fields.has(field)) {
        content.resume();
        return;
      }
      fields.add(field);
      const key = `${folder}/${keys.length}-${name.replace(/[^A-Za-z0-9_.-]/g, "_").slice(-MAX_KEY_NAME)}`;
      keys.push(key);
      const put = blobs.put(key, content).then(({ sizeBytes }) => ({ field, filename: name, sizeBytes, key }));
      put.catch(failed);
      stored.push(put);
    },
    async finish() {
      const uploads = await Promise.all(stored);
      for (const { field, sizeBytes } of uploads)
        if (sizeBytes === 0)
          throw new InputError(`File '${field}' is missing required size property, or is zero bytes.`);
      return uploads;
    },
    async discard() {
      // A file that is still being stored would come back after its deletion.
      await Promise.allSettled(stored);
      for (const key of keys)
        await blobs
          .delete(key)
          .catch((error: unknown) => log.error({ key, error }, "A temporary upload stayed behind"));
    },
  };
}

function checkName(field: string, filename: string | undefined): string {
  const name = filename?.trim() ?? "";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (name === "" || /^\.+$/.test(name) || isTooLong(name) || /[\u0000-\u001f\u007f/\\]/.test(name))
    throw new InputError(`File '${field}' is missing required name property, or name is invalid.`);
  return name;
}

const isTooLong = (name: string): boolean => Buffer.byteLength(name) > MAX_NAME_BYTES;
