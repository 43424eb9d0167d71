import nodeModule from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export interface PublishedFile {
  /** Its path, relative to the module that asks. */
  readonly beside: string;
  /** Name of the package that it is published in, and its path inside. */
  readonly package: string;
  readonly inside: string;
}

/**
 * Address of a file that is published beside a module. Bundlers move the module and leave the file: then it is the file
 * of the installed package, resolved from the bundle or from the folder in which the process was started. `from` is the
 * module's own `import.meta.url`, which some bundlers leave out. Throws `Error` with the remedy when the file is
 * nowhere.
 */
export function publishedFile(from: string | undefined, file: PublishedFile): URL {
  const beside = from && resolved(from, file.beside);
  if (beside) return pathToFileURL(beside);
  const here = pathToFileURL(join(process.cwd(), "_")).href;
  for (const start of [from, here]) {
    const manifest = start && resolved(start, `${file.package}/package.json`);
    if (manifest) return new URL(file.inside, pathToFileURL(manifest));
  }
  throw new Error(
    `${file.inside} of ${file.package} is not here: keep the package out of the bundle (external), or install it where the bundle runs.`,
  );
}

function resolved(start: string, name: string): string | undefined {
  try {
    // Called on the module object: webpack would take a bare name for its own `require`, which knows joined modules
    // only.
    return nodeModule.createRequire(start).resolve(name);
  } catch {
    // Not installed there, or the address is no file.
    return undefined;
  }
}
