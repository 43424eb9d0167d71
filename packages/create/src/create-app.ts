import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { manifestOf, packageNameOf, RefusedError } from "./rules.ts";

const own = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
/** npm never publishes a file called `.gitignore`. */
const RENAMED: Readonly<Record<string, string>> = { gitignore: ".gitignore" };

/** Whether a path cannot become a new folder: it is a file, or a folder that is not empty. */
function isTaken(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw new RefusedError(`${folder} cannot be used: ${(error as Error).message}`);
  }
}

function templateFiles(name: string): Map<string, string> {
  const files = readdirSync(own("template")).map((file): [string, string] => [
    RENAMED[file] ?? file,
    readFileSync(own(`template/${file}`), "utf8"),
  ]);
  return new Map(files.map(([file, text]) => [file, file === "README.md" ? `# ${name}\n\n${text}` : text]));
}

/** Writes the app, with its own secret key, into a folder that is empty or missing; returns the names of its files. */
export function createApp(folder: string): string[] {
  if (isTaken(folder)) throw new RefusedError(`${folder} holds something already. Name a folder that is empty or new.`);
  const name = packageNameOf(folder);
  // Versions come from our own manifest: the template is written and checked against them.
  const { devDependencies } = JSON.parse(readFileSync(own("package.json"), "utf8"));
  const files = templateFiles(name)
    .set("package.json", `${JSON.stringify(manifestOf(name, devDependencies), null, 2)}\n`)
    .set(".env", `SIGNALBOX_SECRET_KEY=${randomBytes(32).toString("base64url")}\n`);
  mkdirSync(folder, { recursive: true });
  // `wx` keeps files that were created meanwhile. Other users of this machine must not read the key.
  for (const [file, text] of files)
    writeFileSync(join(folder, file), text, { flag: "wx", mode: file === ".env" ? 0o600 : 0o666 });
  return [...files.keys()].toSorted();
}
