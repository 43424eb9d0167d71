/** Decides whether programs of this checkout run the bundles or the sources: bundles start in a third of the time. */
import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const packages = join(root, "packages");
const examples = join(root, "examples");

/** Modification times of a file, or of all files below a folder, in milliseconds; empty when it is missing. Skips tests. */
function timesOf(path: string): number[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found ? [found.mtimeMs] : [];
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith(".test.ts"));
  return files.map((file) => statSync(join(file.parentPath, file.name)).mtimeMs);
}

/** Whether a file was built after its sources were last written. */
function isFresh(built: string, ...sources: readonly string[]): boolean {
  const times = timesOf(built);
  return times.length > 0 && Math.min(...times) >= Math.max(...sources.flatMap(timesOf));
}

const sources = (): string[] =>
  readdirSync(packages)
    .map((name) => join(packages, name, "src"))
    .filter((folder) => timesOf(folder).length > 0);

/** Node arguments with which a program runs the newest code. */
export function codeArguments(): string[] {
  const areFresh = sources().every((folder) => isFresh(join(folder, "..", "lib"), folder));
  return areFresh ? [] : ["--conditions=@signalbox/source"];
}

/**
 * Node arguments with which an example runs the newest code. The stand-alone server is built as a single bundle, with the
 * packages.
 */
export function programArguments(program: string): string[] {
  const name = basename(program, ".ts");
  const built = join(examples, "dist", `${name}.js`);
  const code = codeArguments();
  const isBuilt =
    code.length === 0 && isFresh(built, join(examples, "lib"), join(examples, `${name}.ts`), ...sources());
  return isBuilt ? [built] : [...code, program];
}

/** Node arguments with which a program hashes passwords quickly, for tests of something else. */
export const QUICK_PASSWORDS: readonly string[] = [`--import=${new URL("quick-passwords.mjs", import.meta.url).href}`];

/** Node arguments with which a program is asked to end in the middle of its start. */
export const END_IN_START: readonly string[] = [`--import=${new URL("end-in-start.mjs", import.meta.url).href}`];
