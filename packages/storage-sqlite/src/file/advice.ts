import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { StorageFault } from "@signalbox/core/storage";

/** Advice about a file that could not be opened or written; undefined when the error message already says everything. */
export function adviceFor(file: string, fault: StorageFault): string | undefined {
  if (fault !== "gone" && fault !== "read-only") return undefined;
  const path = resolve(file);
  const folder = dirname(path);
  if (statOf(path)?.isDirectory()) return "It is a folder: name a file in it.";
  if (!statOf(folder)) return `There is no folder ${folder}: make it, or name another one.`;
  return `Check that this process may read and write the file, and make files in the folder ${folder}.`;
}

function statOf(path: string): ReturnType<typeof statSync> | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // A parent folder that is a file or may not be entered: nothing is known about the rest of the path.
    return undefined;
  }
}
