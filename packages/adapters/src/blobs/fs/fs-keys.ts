import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isName } from "../keys.ts";

interface Window {
  readonly prefix: string;
  readonly after: string;
}

/** Keys in byte order. A folder sorts by its name with the slash, because `a-b` must come before `a/b`. */
export async function* walkKeys(root: string, window: Window, folder = ""): AsyncGenerator<string> {
  for (const entry of await entriesOf(join(root, folder))) {
    const key = folder + entry;
    if (!mayHold(key, window)) continue;
    if (entry.endsWith("/")) yield* walkKeys(root, window, key);
    else yield key;
  }
}

async function entriesOf(folder: string): Promise<string[]> {
  try {
    const found = await readdir(folder, { withFileTypes: true });
    const names = found.filter((entry) => isName(entry.name) && (entry.isDirectory() || entry.isFile()));
    return names.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/**
 * Whether an entry can contain keys in the window. A file must lie in it; for a folder it is enough that its name agrees with the
 * bounds as far as both go.
 */
function mayHold(key: string, { prefix, after }: Window): boolean {
  if (!key.endsWith("/")) return key.startsWith(prefix) && key > after;
  const leads = key.startsWith(prefix) || prefix.startsWith(key);
  return leads && (key > after || after.startsWith(key));
}

export function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  // ENOTDIR: the key has a folder where a file is stored, so nothing can be below it.
  return code === "ENOENT" || code === "ENOTDIR";
}
