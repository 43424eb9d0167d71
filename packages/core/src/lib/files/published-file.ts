import nodeModule from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export interface PublishedFile {
  /** Its path, relative to the module that needs it. */
  readonly beside: string;
  /** Name of the package in which it is published, and its path inside. */
  readonly package: string;
  readonly inside: string;
}

/**
 * Address of a file that is published beside a module. Bundlers move the module but not the file: then the file of the installed
 * package is used, resolved from the bundle or from the working directory at the start of the process. `from` is the module's own
 * `import.meta.url`, which some bundlers leave out. Throws `Error` with the remedy when the file cannot be found.
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
    // Called on the module object: webpack would replace a bare name with its own `require`, which only knows bundled modules.
    return nodeModule.createRequire(start).resolve(name);
  } catch {
    // It is not installed there, or the address is not a file.
    return undefined;
  }
}
