import { constants, createReadStream, type Stats } from "node:fs";
import { open, realpath, rm } from "node:fs/promises";
import { basename, resolve, sep } from "node:path";
import type { LeftFile } from "@signalbox/core/adapter";
import type { Account } from "../job/job-folder.ts";

/**
 * Finds a regular file below a folder, after resolving links. A host that runs programs as another user may read more than they
 * may, so the file must belong to that user.
 */
export async function findLeftFile(folder: string, path: string, { uid }: Account): Promise<LeftFile | undefined> {
  try {
    const root = await realpath(folder);
    const full = await realpath(resolve(root, path));
    if (!full.startsWith(root.endsWith(sep) ? root : root + sep)) return undefined;
    // Checks the opened file, because the path may be replaced by a link between the check and the reading.
    const handle = await open(full, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const facts = await handle.stat().finally(() => handle.close());
    if (!facts.isFile() || (uid !== undefined && facts.uid !== Number(uid))) return undefined;
    return {
      name: basename(full),
      sizeBytes: facts.size,
      content: () => readSame(full, facts),
      remove: () => rm(full, { force: true }),
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return undefined;
  }
}

async function* readSame(path: string, { dev, ino }: Pick<Stats, "dev" | "ino">): AsyncGenerator<Uint8Array> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const now = await handle.stat();
    if (now.ino !== ino || now.dev !== dev) throw new Error("A file was exchanged while it was taken");
    yield* createReadStream("", { fd: handle, autoClose: false });
  } finally {
    await handle.close();
  }
}
