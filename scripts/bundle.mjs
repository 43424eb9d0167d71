// Bundles the modules of each package into one file per entry point (docs/decisions/repository.md), and the stand-alone server.
// Other packages stay imports, and modules that two entry points share become a separate file, so nothing is loaded twice.
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";

const PACKAGES = ["core", "adapters", "http-hono", "client", "create", "dashboard", "storage-sqlite", "storage-pg"];
/** Loading their many modules is a good part of a host's start time; each is bundled into the only package that imports it. */
const JOINED = { core: ["awilix", "jexl", "mitt", "zod"], adapters: ["kysely"] };
/**
 * Everything that each start of the stand-alone server loads. For each module of a package Node copies all of that package's
 * exports, 20 KB for the 24 modules of Hono, and the copies stay until old objects are collected.
 */
const JOINED_IN_SERVER = ["@signalbox/[a-z-]+", "hono", "@hono/node-server", "ws", "busboy", "streamsearch"];
/** Helpers that the language of the sources, and that of expressions, need beyond the oldest supported Node. */
const RUNTIMES = ["@oxc-project/runtime", "@babel/runtime"];
/** Entry points of `core` that programs also load without the engine. */
const WITHOUT_ENGINE = ["adapter", "storage"];
/**
 * The engine is published in two files: V8 takes six bytes of memory for each byte that it parses at once, and the process keeps
 * them. Further files would cost more than they save, because each lists the names that it shares with others.
 */
const FLOORS = [
  { name: "lower", test: /core[\\/]src[\\/](?!work|desk|engine|testing|[\w-]+\.ts)/ },
  { name: "upper", test: /core[\\/]src[\\/](?:work|desk|engine)[\\/]/ },
];
const root = join(dirname(fileURLToPath(import.meta.url)), "..", "packages");

/** Source of each entry point, by the name of the published file. */
function entriesOf(folder) {
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const targets = Object.values(exports).filter((target) => typeof target === "object");
  return Object.fromEntries(
    targets.map(({ default: published, ...conditions }) => [
      published.replace(/^\.\/lib\/|\.js$/g, ""),
      join(folder, conditions["@signalbox/source"]),
    ]),
  );
}

/**
 * Escapes characters beyond Latin-1. Node keeps a module's text while it is loaded, with two bytes per character as soon as one
 * is beyond Latin-1: a dozen ellipses cost each host 1.6 MB. Comments are removed, so such characters remain only where escapes
 * are understood.
 */
function escapeTexts(_, files) {
  for (const file of Object.values(files)) {
    if (/String\.raw`[^`]*[^\0-\x7f]/.test(file.code))
      throw new Error(`${file.fileName}: a raw text cannot hold escapes.`);
    file.code = file.code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  }
}

/** The modules that programs load without the engine, as Rolldown groups them by itself. */
async function modulesWithoutEngine(build) {
  const { output } = await build.generate({ format: "esm" });
  const chunks = new Map(output.map((chunk) => [chunk.fileName, chunk]));
  const modulesOf = ({ moduleIds, imports }) => [
    ...moduleIds,
    ...imports.flatMap((name) => (chunks.has(name) ? modulesOf(chunks.get(name)) : [])),
  ];
  return new Set(output.filter(({ name }) => WITHOUT_ENGINE.includes(name)).flatMap(modulesOf));
}

async function bundle(input, dir, modules = []) {
  const joined = [...RUNTIMES, ...modules].join("|");
  const build = await rolldown({
    input,
    external: new RegExp(`^(?!\\0|(?:${joined})(?:$|/))[^./]`),
    platform: "node",
    // The same target as the compiler's: the oldest supported Node does not know "using".
    transform: { target: "es2024" },
    plugins: [{ name: "escape-texts", generateBundle: escapeTexts }],
    onLog(level, log) {
      if (level === "warn") throw new Error(log.message);
    },
  });
  const light = await modulesWithoutEngine(build);
  await build.write({
    dir,
    cleanDir: true,
    format: "esm",
    // Nothing is renamed or minified, so stack traces are readable without source maps, which were a twelfth of the installed
    // bytes.
    sourcemap: false,
    // Comments can be read in the sources, which are published as well.
    comments: false,
    entryFileNames: "[name].js",
    chunkFileNames: "shared/[name].js",
    codeSplitting: { groups: [{ name: "light", test: (id) => light.has(id) }, ...FLOORS] },
  });
}

const examples = join(root, "..", "examples");
await Promise.all(PACKAGES.map((name) => bundle(entriesOf(join(root, name)), join(root, name, "lib"), JOINED[name])));
// Node takes 60 ms of processor time to load its type stripping, twice as much as the rest of its own start.
const programs = ["standalone", "signalbox"].map((name) => [name, join(examples, `${name}.ts`)]);
await bundle(Object.fromEntries(programs), join(examples, "dist"), JOINED_IN_SERVER);
// Publishes the manual for `get_doc` and `search_docs` beside its reader, as one compressed file of a third of the size.
const pages = ["guide", "contract", "reference"].flatMap((part) => {
  const folder = join(root, "..", "docs", part);
  const text = (file) => readFileSync(join(folder, file), "utf8");
  const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith(".md"));
  return files.map((file) => [`${part}/${file.replaceAll("\\", "/").replace(/\.md$/, "")}`, text(file)]);
});
const manual = gzipSync(JSON.stringify(Object.fromEntries(pages)));
writeFileSync(join(root, "adapters", "lib", "documents", "manual.json.gz"), manual);
// Bundled packages are published with their licences.
for (const [name, joined] of Object.entries({ ...JOINED, core: [...JOINED.core, "@babel/runtime"] }))
  for (const part of joined) {
    const source = join(root, "..", "node_modules", part);
    const licence = readdirSync(source).find((file) => /^licen[cs]e/i.test(file));
    copyFileSync(join(source, licence), join(root, name, "lib", `LICENSE.${part.replace("@", "").replace("/", "-")}`));
  }
