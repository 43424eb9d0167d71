// Selects the declarations to publish: all that a user's compiler can reach from an entry point.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join, posix } from "node:path";

/** Matches any text that names a neighbouring file, in an import, a type or a widened module. */
const NAMED = /"(\.{1,2}\/[^"\n]+)\.ts"/g;

const namedIn = (file, text) =>
  Array.from(text.matchAll(NAMED), ([, named]) => posix.join(posix.dirname(file), `${named}.d.ts`));

/**
 * The entry points and all files reachable from them. `read` returns the text of a path, or undefined when there is none, such as
 * for a path in a comment's example.
 */
export function reachable(entries, read) {
  const found = new Set();
  const open = [...entries];
  for (const file of open) {
    const text = found.has(file) ? undefined : read(file);
    if (text === undefined) continue;
    found.add(file);
    open.push(...namedIn(file, text));
  }
  return found;
}

/** Declarations that a published one names but that do not exist: their types would silently be `any`. */
export function missing(files, read) {
  const declared = files.filter((file) => file.endsWith(".d.ts")).map((file) => file.replaceAll("\\", "/"));
  const there = new Set(declared);
  const gone = (file) => namedIn(file, read(file)).filter((named) => !there.has(named));
  return declared.flatMap((file) => gone(file).map((named) => `${file} needs ${named}, which is not published.`));
}

const COMMENT = /\/\*[\s\S]*?\*\//g;
/** Matches the package that an import or a type names, without a path below it; modules of Node have a colon. */
const PACKAGE = /(?:from |import\()"((?:@[\w.-]+\/)?\w[\w.-]*)(?:\/[^"\n]*)?"/g;

/**
 * Packages that declarations name but that are not installed with them, including types that are published separately: everything
 * typed with them would silently be `any`, or an error in a package that the user did not write.
 */
export function withoutTypes(texts, { name, dependencies = {}, peerDependencies = {} }, isTypedApart) {
  const installed = new Set([name, ...Object.keys(dependencies), ...Object.keys(peerDependencies)]);
  const named = texts.flatMap((text) => Array.from(text.replace(COMMENT, "").matchAll(PACKAGE), ([, each]) => each));
  const needed = named.flatMap((each) => (isTypedApart(each) ? [each, `@types/${each}`] : [each]));
  const gone = needed.filter((each) => !(isBuiltin(each) || installed.has(each)));
  return [...new Set(gone)].map((each) => `${name}: its declarations need ${each}, which is no dependency.`);
}

const IGNORES = ".npmignore";

/**
 * Lists all other declarations of a package in a `.npmignore` beside them, which npm reads when it packs. It compares each file
 * with every line of the lists in the folders above it: one list for the whole package took 5 s of processor time.
 */
export function keepPrivateTypes(folder) {
  const dist = join(folder, "dist");
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const entries = Object.values(manifest.exports).flatMap(({ types }) => (types ? [types.replace("./dist/", "")] : []));
  const read = (file) => (existsSync(join(dist, file)) ? readFileSync(join(dist, file), "utf8") : undefined);
  const reached = reachable(entries, read);
  const isTypedApart = (name) => existsSync(join(folder, "..", "..", "node_modules", "@types", name));
  const faults = withoutTypes([...reached].map(read), manifest, isTypedApart);
  if (faults.length > 0) throw new Error(faults.join("\n"));
  const all = readdirSync(dist, { recursive: true }).map((file) => file.replaceAll("\\", "/"));
  for (const file of all) if (posix.basename(file) === IGNORES) rmSync(join(dist, file));
  const unreached = all.filter((file) => file.endsWith(".d.ts") && !reached.has(file)).toSorted();
  for (const [inside, files] of Map.groupBy(unreached, posix.dirname))
    writeFileSync(join(dist, inside, IGNORES), files.map((file) => `/${posix.basename(file)}\n`).join(""));
}
