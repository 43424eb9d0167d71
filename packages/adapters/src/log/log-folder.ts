import { appendFile, mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { bytesOf, contentOf, isPiece, logFilesIn, pack, removeParts } from "./log-files.ts";

export interface LogFolder {
  /** Appends to the file of a day. A full file is first turned into a numbered piece. */
  append(log: string, day: string, text: string): Promise<void>;
  read(log: string, day: string): Promise<AsyncIterable<Uint8Array> | undefined>;
  /**
   * Compresses files of days before `today`, deletes files from before `oldest`, and then the oldest ones beyond the bound on all
   * files.
   */
  tidy(today: string, oldest: string): Promise<void>;
}

/** A folder of logs. Calls must not overlap, except `read`. */
export function logFolder(
  folder: string,
  { maxFileBytes, maxBytes }: { readonly maxFileBytes: number; readonly maxBytes: number },
): LogFolder {
  const path = (file: string): string => join(folder, file);
  const filesOf = async (log: string, day: string) =>
    (await logFilesIn(folder)).filter((each) => each.log === log && each.day === day);

  async function cut(log: string, day: string): Promise<void> {
    const pieces = (await filesOf(log, day)).filter(isPiece);
    const file = path(`${log}.${day}.${1 + Math.max(0, ...pieces.map(({ piece }) => piece))}.log`);
    await rename(path(`${log}.${day}.log`), file);
    await pack(file);
    await trim(folder, maxBytes);
  }

  return {
    async append(log, day, text) {
      const live = path(`${log}.${day}.log`);
      const before = await bytesOf(live);
      if (before > 0 && before + Buffer.byteLength(text) > maxFileBytes) await cut(log, day);
      await mkdir(folder, { recursive: true });
      await appendFile(live, text, { mode: 0o600 });
    },
    async read(log, day) {
      const files = await filesOf(log, day);
      return files.length === 0 ? undefined : contentOf(files.map(({ file }) => path(file)));
    },
    async tidy(today, oldest) {
      await removeParts(folder);
      for (const { file, day, isPacked } of await logFilesIn(folder)) {
        if (day < oldest) await rm(path(file), { force: true });
        else if (day < today && !isPacked) await pack(path(file));
      }
      await trim(folder, maxBytes);
    },
  };
}

/** Deletes only compressed files, because the current file has its own bound. */
async function trim(folder: string, maxBytes: number): Promise<void> {
  const files = await logFilesIn(folder);
  const sizes = await Promise.all(files.map(({ file }) => bytesOf(join(folder, file))));
  let left = sizes.reduce((sum, bytes) => sum + bytes, 0);
  for (const [index, { file, isPacked }] of files.entries()) {
    if (left <= maxBytes) return;
    if (!isPacked) continue;
    await rm(join(folder, file), { force: true });
    left -= sizes[index] ?? 0;
  }
}
