import { type FileHandle, mkdir, open, rename, rmdir } from "node:fs/promises";
import { dirname, sep } from "node:path";
import { isMissing } from "./fs-keys.ts";

/** A file is closed when its write has been flushed; `info` is taken from it before it has its name. */
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

/** Renames, with the folders of the new name made before and flushed after: a power cut loses none of it. */
export async function renameDurably(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      const made = await mkdir(dirname(to), { recursive: true });
      await rename(from, to);
      await syncFolders(dirname(to), made);
      return;
    } catch (error) {
      // A deletion beside us took the folder that had just become empty.
      if (!isMissing(error) || attempt === ATTEMPTS) throw error;
    }
  }
}

/** The folder itself, and the parent of each one that is new: the name of a folder is content of its parent. */
export async function syncFolders(folder: string, made: string | undefined): Promise<void> {
  // Windows opens no folders.
  if (process.platform === "win32") return;
  const last = made === undefined ? folder : dirname(made);
  for (let each = folder; ; each = dirname(each)) {
    await syncFolder(each);
    if (each === last) return;
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r").catch((error: unknown) => {
    // Deleted again already, with its content.
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
      // The folder is not empty, or is gone already; an empty one that stays does no harm.
      () => false,
    );
    if (!isGone) return;
  }
}
