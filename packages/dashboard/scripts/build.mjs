// Builds the dashboard: one script per page, one style sheet, content-hashed file names, and a manifest of which files
// belong together.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const app = join(root, "src", "app");
const out = join(root, "dist", "assets");
/** Each process builds in its own folder: parallel tests may build at the same time, and none may read a half-written file. */
const own = join(root, "dist", `assets-${process.pid}`);
/** Style sheets of all pages, in order. Those of single pages follow, and the rules for small screens come last. */
const ELEMENTS = ["parts", "rows", "tables", "forms", "detail", "graph", "chart", "over"];
const SHEETS = ["tokens", "base", "frame", ...ELEMENTS.map((name) => `elements/${name}`)];
const LAST = ["narrow"];

/**
 * Modules that this many scripts import are bundled into one file: a browser opens six connections, and many small
 * files would queue for them.
 */
const SHARED = { name: "shared", minShareCount: 12 };

const hash = (text) => createHash("sha256").update(text).digest("base64url").replace(/[-_]/g, "").slice(0, 8);

function* sources(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else yield path;
  }
}

/** Minifies CSS: removes comments, whitespace, leading zeros and unneeded quotes. `calc` needs the spaces around + and -. */
const squeeze = (css) =>
  css
    .replace(/\/\*.*?\*\//gs, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([{};,>~]) ?/g, "$1")
    .replace(/: |(?<=@media) (?=\()/g, (space) => space.trim())
    .replace(/(?<=[\s:,(-])0\.(?=\d)/g, ".")
    .replace(/ ?([*/]) (?=[\d(.-]|var|$)/g, "$1")
    .replace(/ \+ (?=[:*]|\.[a-z])|(?<=n) \+ (?=\d)/g, "+")
    .replace(/;}/g, "}")
    .replace(/="([a-z-]+)"]/g, "=$1]")
    .trim();

/** Properties that also set properties whose names do not begin with theirs. Rules that contain both keep their order. */
const REACHES_OUT = [
  [/(?:^|;)(?:all|place-\w+):/, /./],
  [/(?:^|;)inset(?:-block|-inline)?:/, /(?:^|;)(?:top|right|bottom|left):/],
  [/(?:^|;)border-(?:color|style|width):/, /(?:^|;)border-(?:block|inline|top|right|bottom|left)/],
];

/**
 * Sorts the declarations of each rule, which compresses better. A shorthand sorts before its longhands, because its
 * name is their prefix.
 */
const inOrder = (css) =>
  css.replace(/(?<=\{)[^{}]+(?=\})/g, (members) =>
    REACHES_OUT.some((both) => both.every((one) => one.test(members)))
      ? members
      : members
          .split(/;(?![^(]*\))/)
          .map((member) => ({ member, name: member.slice(0, member.indexOf(":")) }))
          .sort((left, right) => (left.name < right.name ? -1 : Number(left.name > right.name)))
          .map(({ member }) => member)
          .join(";"),
  );

/**
 * Collects the rules of each media query in one block, which compresses better. Rules for smaller windows follow those for
 * larger ones, so that they win, and those for paper follow all.
 */
function byMedia(css) {
  const blocks = new Map();
  const rest = css.replace(/(@media[^{]+)\{((?:[^{}]*\{(?:[^{}]|\{[^{}]*\})*\})*)\}/g, (_block, query, rules) => {
    blocks.set(query, (blocks.get(query) ?? "") + rules);
    return "";
  });
  const widest = (query) => (query.includes("print") ? 0 : Number(/max-width:(\d+)/.exec(query)?.[1] ?? 9999));
  const sorted = [...blocks].sort(([left], [right]) => widest(right) - widest(left));
  return rest + sorted.map(([query, rules]) => `${query}{${rules}}`).join("");
}

function writeStyle() {
  const shared = (name) => join(app, "style", `${name}.css`);
  const ofPages = [...sources(join(app, "pages"))].filter((path) => path.endsWith(".css")).sort();
  const sheets = [...SHEETS.map(shared), ...ofPages, ...LAST.map(shared)];
  const css = inOrder(byMedia(squeeze(sheets.map((path) => readFileSync(path, "utf8")).join("\n"))));
  const name = `style-${hash(css)}.css`;
  writeFileSync(join(own, name), css);
  return name;
}

/** A script and everything that it imports, directly or indirectly. */
function filesOf(name, output, found = new Set()) {
  if (found.has(name)) return [...found];
  found.add(name);
  for (const next of output.find(({ fileName }) => fileName === name)?.imports ?? []) filesOf(next, output, found);
  return [...found];
}

/** Patterns of the addresses below the mount, each with the name of its page's script; the first match counts. */
async function routesTo(scripts) {
  const folder = join(app, "pages");
  const { pages } = await import(pathToFileURL(join(folder, "index.ts")));
  return pages.map(({ routes, load }) => {
    const [, file] = /import\("(.+?)"\)/.exec(load);
    const { name } = scripts.find(({ facadeModuleId }) => facadeModuleId === join(folder, file));
    return [`^(?:${routes.map((route) => route.slice(1).replace(/:\w+/g, "[^/]+")).join("|")})/?$`, name];
  });
}

async function build() {
  mkdirSync(own, { recursive: true });
  const bundle = await rolldown({
    input: { app: join(app, "main.tsx") },
    platform: "browser",
    tsconfig: false,
    resolve: { conditionNames: ["@signalbox/source", "browser", "import", "default"] },
    transform: { target: "es2023", jsx: { runtime: "automatic", importSource: "preact" } },
    onLog(level, log) {
      if (level === "warn") throw new Error(log.message);
    },
  });
  const { output } = await bundle.write({
    dir: own,
    format: "esm",
    minify: true,
    comments: false,
    entryFileNames: "[name]-[hash].js",
    chunkFileNames: "[name]-[hash].js",
    codeSplitting: { groups: [SHARED] },
  });
  const entry = output.find((chunk) => chunk.type === "chunk" && chunk.isEntry);
  const style = writeStyle();
  writeFileSync(join(own, "icon.svg"), readFileSync(join(app, "style", "icon.svg")));
  const scripts = output.filter((chunk) => chunk.type === "chunk" && chunk.isDynamicEntry);
  const pages = Object.fromEntries(scripts.map((chunk) => [chunk.name, filesOf(chunk.fileName, output)]));
  const [, ...preload] = filesOf(entry.fileName, output);
  const manifest = { entry: entry.fileName, preload, style, pages, routes: await routesTo(scripts) };
  writeFileSync(join(own, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Replaces the old files with the new ones. If another process has just done so, its files are as good. */
function swap() {
  const before = `${own}-before`;
  const move = (from, to, mayFail) => {
    try {
      renameSync(from, to);
    } catch (error) {
      if (!mayFail.includes(error.code)) throw error;
    }
  };
  move(out, before, ["ENOENT"]);
  move(own, out, ["ENOTEMPTY", "EEXIST"]);
  for (const rest of [before, own]) rmSync(rest, { recursive: true, force: true });
}

/** True if the last build is newer than all sources, so that nothing needs to be built. */
function isFresh() {
  try {
    const built = statSync(join(out, "manifest.json")).mtimeMs;
    const read = [...sources(app), ...sources(join(root, "..", "client", "src")), fileURLToPath(import.meta.url)];
    return read.every((path) => statSync(path).mtimeMs <= built);
  } catch {
    return false;
  }
}

if (process.argv.includes("--force") || !isFresh()) {
  await build();
  swap();
}
