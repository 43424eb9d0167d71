import { type LogFields, type Logger, silentLogger, type Unasked } from "../../ports/logger.ts";
import type { BlobStore } from "../../ports/storage/blob-store.ts";
import { StorageError, type StorageFault, storageErrorIn } from "../errors/errors.ts";

type Note = (error: StorageError) => void;

/** System error codes that mean the whole file store is failing, not a single request. */
const FILE_FAULTS: Readonly<Record<string, StorageFault>> = {
  ENOSPC: "full",
  EDQUOT: "full",
  EROFS: "read-only",
  EACCES: "read-only",
  EPERM: "read-only",
  EIO: "gone",
  ENXIO: "gone",
  ENODEV: "gone",
  ESTALE: "gone",
  ENOTCONN: "gone",
  EMFILE: "gone",
  ENFILE: "gone",
};

function fileFaultOf(error: unknown): StorageFault | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, isTemporary, status } = error as { code?: unknown; isTemporary?: unknown; status?: unknown };
  if (typeof code === "string" && Object.hasOwn(FILE_FAULTS, code)) return FILE_FAULTS[code];
  // A remote store that did not answer after all retries, or that no longer accepts our credentials.
  return isTemporary === true || status === 401 || status === 403 ? "gone" : undefined;
}

/** Wraps the host's file store: recognises and reports its failures. */
export function watchedBlobs(blobs: BlobStore, note: Note): BlobStore {
  const refuse = (error: unknown): never => {
    throw translate(error, note);
  };
  // Methods are looked up at each call, because hosts wrap the methods of a store they have passed in, and tests break them.
  return {
    ...(blobs.isForgetful ? { isForgetful: true } : {}),
    ...(blobs.fault ? { fault: async () => blobs.fault?.() } : {}),
    put: (key, content) => blobs.put(key, content).catch(refuse),
    async get(key, range) {
      const found = await blobs.get(key, range).catch(refuse);
      return found && { ...found, content: watchedContent(found.content, note) };
    },
    head: (key) => blobs.head(key).catch(refuse),
    delete: (key) => blobs.delete(key).catch(refuse),
    list: (prefix, page) => blobs.list(prefix, page).catch(refuse),
    ...(blobs.move ? { move: async (from, to) => blobs.move?.(from, to).catch(refuse) } : {}),
    ...(blobs.tidy ? { tidy: async (before) => blobs.tidy?.(before).catch(refuse) } : {}),
  };
}

async function* watchedContent(content: AsyncIterable<Uint8Array>, note: Note): AsyncGenerator<Uint8Array> {
  try {
    yield* content;
  } catch (error) {
    throw translate(error, note);
  }
}

function translate(error: unknown, note: Note): unknown {
  if (storageErrorIn(error)) return error;
  const fault = fileFaultOf(error);
  if (!fault) return error;
  const known = new StorageError(fault, { store: "file store", cause: error });
  note(known);
  return known;
}

/** Passes on all entries except failures of stores: those are logged once for all parts of the engine that meet them. */
export function quietLogger(log: Logger & Unasked, note: Note): Logger & Unasked {
  if (log === silentLogger) return log;
  const unlessTold =
    (level: "warn" | "error"): Logger["error"] =>
    (fields, message) => {
      const fault = faultIn(fields);
      if (!fault) return log[level](fields, message);
      note(fault);
      log.debug(fields, message);
    };
  return {
    ...(log.unasked ? { unasked: true } : {}),
    debug: (fields, message) => log.debug(fields, message),
    info: (fields, message) => log.info(fields, message),
    warn: unlessTold("warn"),
    error: unlessTold("error"),
  };
}

const faultIn = (fields: LogFields): StorageError | undefined => storageErrorIn(fields["error"]);
