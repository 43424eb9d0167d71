import { type FileHandle, mkdir, open, rename, rmdir } from "node:fs/promises";
import { dirname, sep } from "node:path";
import { isMissing } from "./fs-keys.ts";

/** Writes and flushes a file, closes it, and returns its information, all before it gets its final name. */
export async function writeDurably(path: string, content: AsyncIterable<Uint8Array>) {
  const file = await open(path, "wx", 0o600);
  try {
    for await (const chunk of content) await writeAll(file, chunk);
    await file.sync();
    return await file.stat();
  } finally {
    await file.close();
  }
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  let written = 0;
  while (written < chunk.length) written += (await file.write(chunk, written)).bytesWritten;
}

const ATTEMPTS = 10;

/**
 * Renames a file. Creates the folders of the new name first and flushes them afterwards, so that a power failure loses none of
 * it.
 */
export async function renameDurably(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      const made = await mkdir(dirname(to), { recursive: true });
      await rename(from, to);
      await syncFolders(dirname(to), made);
      return;
    } catch (error) {
      // A concurrent deletion removed the folder that had just become empty.
      if (!isMissing(error) || attempt === ATTEMPTS) throw error;
    }
  }
}

/** Flushes the folder and the parent of each new folder, because the name of a folder is content of its parent. */
export async function syncFolders(folder: string, made: string | undefined): Promise<void> {
  // Windows cannot open folders.
  if (process.platform === "win32") return;
  const last = made === undefined ? folder : dirname(made);
  for (let each = folder; ; each = dirname(each)) {
    await syncFolder(each);
    if (each === last) return;
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r").catch((error: unknown) => {
    // The folder was deleted again meanwhile, with its content.
    if (isMissing(error)) return undefined;
    throw error;
  });
  try {
    await folder?.sync();
  } finally {
    await folder?.close();
  }
}

/** Removes folders that a deletion left empty, up to the root. */
export async function pruneFolders(folder: string, root: string): Promise<void> {
  for (let each = folder; each.startsWith(root + sep); each = dirname(each)) {
    const isGone = await rmdir(each).then(
      () => true,
      // The folder is not empty or already gone. An empty folder that stays does no harm.
      () => false,
    );
    if (!isGone) return;
  }
}
