import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Bytes of all files below a folder whose name is accepted by `counts`; files that vanish meanwhile count as zero. */
export function bytesBelow(folder: string, counts: (name: string) => boolean = () => true): number {
  let total = 0;
  for (const entry of listed(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) total += bytesBelow(path, counts);
    else if (counts(entry.name)) total += statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  }
  return total;
}

function listed(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** Number of open files and sockets of a process; undefined where the system does not report it. */
export function openFiles(pid: number): number | undefined {
  return process.platform === "linux" ? listed(`/proc/${pid}/fd`).length : undefined;
}
