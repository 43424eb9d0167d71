/** Says whether programs of this checkout run what is built or the sources: what is built starts in a third of the time. */
import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const packages = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "packages");

/** When files below a folder were last written, in milliseconds; none where it is missing. Tests are no code. */
function timesBelow(folder: string): number[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith(".test.ts"));
    return files.map((file) => statSync(join(file.parentPath, file.name)).mtimeMs);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** Whether a package was bundled after its sources were written. */
function isFresh(folder: string): boolean {
  const built = timesBelow(join(folder, "lib"));
  return built.length > 0 && Math.min(...built) >= Math.max(...timesBelow(join(folder, "src")));
}

/** Arguments for Node with which a program gets the newest code. */
export function codeArguments(): string[] {
  const folders = readdirSync(packages).map((name) => join(packages, name));
  const withSources = folders.filter((folder) => timesBelow(join(folder, "src")).length > 0);
  return withSources.every(isFresh) ? [] : ["--conditions=@signalbox/source"];
}

/** Arguments for Node with which a program hashes passwords quickly: for tests that look at something else. */
export const QUICK_PASSWORDS: readonly string[] = [`--import=${new URL("quick-passwords.ts", import.meta.url).href}`];
