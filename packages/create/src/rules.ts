import { basename, resolve } from "node:path";

/** A refusal with its reason, shown to the person at the terminal without a stack. */
export class RefusedError extends Error {}

const OLDEST = [22, 18] as const;
/** Packages for authors of the program that its server does not need. */
const FOR_AUTHORS = ["@types/node", "typescript"];
const USAGE = "Name one folder: npx @signalbox/create my-ops";

/** The folder that the arguments name. Throws when this version of Node cannot run the program. */
export function folderOf(args: readonly string[], node: string): string {
  const [major = 0, minor = 0] = node.split(".").map(Number);
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]))
    throw new RefusedError(`Signalbox needs Node ${OLDEST.join(".")} or newer; this is ${node}.`);
  const [folder, ...others] = args;
  if (folder === undefined || folder === "" || others.length > 0) throw new RefusedError(USAGE);
  if (folder.startsWith("-")) throw new RefusedError(`There is no option ${folder}. ${USAGE}`);
  return folder;
}

/** A path as typed into a shell: quoted when it holds anything but letters, digits and signs without a meaning there. */
export const shellWord = (path: string): string =>
  /^[\w@%+=:,./\\-]+$/.test(path) ? path : `"${path.replaceAll(/(["$`\\])/g, "\\$1")}"`;

/** A package name for a folder: the part of the folder's name that npm allows. */
export function packageNameOf(folder: string): string {
  const name = basename(resolve(folder))
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, "-")
    .replace(/^[._-]+/, "");
  return name === "" ? "ops" : name.slice(0, 214);
}

/** The `package.json` of an app; `versions` are those of the packages that the program imports and its authors use. */
export function manifestOf(name: string, versions: Readonly<Record<string, string>>): object {
  const chosen = (isForAuthors: boolean) =>
    Object.fromEntries(Object.entries(versions).filter(([each]) => FOR_AUTHORS.includes(each) === isForAuthors));
  return {
    name,
    private: true,
    type: "module",
    scripts: {
      start: "node --env-file=.env ops.ts",
      dev: "node --watch --env-file=.env ops.ts",
      test: "node --test",
      check: "tsc",
    },
    dependencies: chosen(false),
    devDependencies: chosen(true),
    engines: { node: `>=${OLDEST.join(".")}` },
  };
}
