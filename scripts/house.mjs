// Measures the architecture: dependencies within the product, and its size. Fails when a figure is worse than in house.json;
// `--write` stores better ones. `--root folder` measures another checkout and never fails. `--folders` prints the lines of core
// by folder, `--large` the files and functions that are too large.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { largestCircle } from "./house/circles.mjs";
import { domainOfFile, goesUp } from "./house/floors.mjs";
import { forbiddenImports } from "./house/imports.mjs";
import { deadReferences, readTexts } from "./house/references.mjs";
import { fullFolders, isOfTests, longFiles, longFunctions } from "./house/sizes.mjs";
import { countLines, importsOf } from "./house/source.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const { values } = parseArgs({
  options: {
    write: { type: "boolean", default: false },
    folders: { type: "boolean", default: false },
    large: { type: "boolean", default: false },
    root: { type: "string", default: join(here, "..") },
  },
});
const packages = join(values.root, "packages");
const coreSource = join(packages, "core/src");

/** Sources of the product below a folder, without tests and their helpers. */
function* sources(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else if (/\.tsx?$/.test(entry.name) && !/\.(?:test|d)\.ts$/.test(entry.name)) yield path;
  }
}

/** All code of the packages, including tests and scripts. */
function* written(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !["node_modules", "dist"].includes(entry.name)) yield* written(path);
    else if (/\.(?:tsx?|mjs|css)$/.test(entry.name) && !/\.d\.ts$/.test(entry.name)) yield path;
  }
}

const domainOf = (path) => domainOfFile(relative(coreSource, path));

function readPackage(name) {
  const files = [...sources(join(packages, name, "src"))].map((path) => ({ path, text: readFileSync(path, "utf8") }));
  return { name, files, lines: files.reduce((sum, { text }) => sum + countLines(text), 0) };
}

const product = readdirSync(packages).map(readPackage);
const core = product.find(({ name }) => name === "core").files;
const edges = core.flatMap(({ path, text }) => importsOf(path, text).map((target) => ({ from: path, to: target })));
const between = edges
  .map((edge) => ({ ...edge, domain: domainOf(edge.from), of: domainOf(edge.to) }))
  .filter(({ domain, of }) => domain !== undefined && of !== undefined && domain !== of);
const pairs = new Set(between.map(({ domain, of }) => `${domain} > ${of}`));
const mutual = [...pairs].filter((pair) => {
  const [one, other] = pair.split(" > ");
  return one < other && pairs.has(`${other} > ${one}`);
});
const count = (texts, pattern) => texts.reduce((sum, text) => sum + (text.match(pattern)?.length ?? 0), 0);
const matches = (pattern) =>
  count(
    core.map(({ text }) => text),
    pattern,
  );
const texts = readTexts(values.root);

const dead = deadReferences(texts);
const forbidden = product.flatMap(({ files }) =>
  files.flatMap(({ path, text }) => forbiddenImports(values.root, path, text)),
);

/** Number of names that a package exports from its main entry point. */
function exportsOf(text) {
  return [...text.matchAll(/export (?:type )?\{([^}]*)\}/g)].reduce(
    (sum, [, names]) => sum + names.split(",").filter((name) => name.trim() !== "").length,
    0,
  );
}

const all = [...written(packages)].map((path) => ({
  path: relative(values.root, path),
  text: readFileSync(path, "utf8"),
}));
const ofTests = all.filter(({ path }) => isOfTests(path));
const ofProduct = all.filter(({ path }) => !isOfTests(path));
/** A module is loaded once for several test files, so its hooks would apply only to the first of them. */
const sharedHooks = all.filter(
  ({ path, text }) => !/\.test\.tsx?$/.test(path) && /^(?:before|after)(?:Each|All)\(/m.test(text),
);
const large = {
  "files of the product over 300 lines": longFiles(ofProduct),
  "files of tests over 300 lines": longFiles(ofTests),
  "functions of the product over 40 lines, head and end included": ofProduct.flatMap(longFunctions),
  "functions of tests over 40 lines": ofTests.flatMap(longFunctions),
  "folders with more than eight files, tests beside them not counted": fullFolders(all.map(({ path }) => path)),
};

const figures = {
  "files of core in one circle of imports": largestCircle(edges.map(({ from, to }) => [from, to])),
  "domains in one circle of imports": largestCircle(between.map(({ domain, of }) => [domain, of])),
  "pairs of domains that import each other": mutual.length,
  "imports that go up a floor": between.filter(({ domain, of }) => goesUp(domain, of)).length,
  "imports of the collection of another domain": between.filter(({ to }) => to.endsWith("/collection.ts")).length,
  "other imports that the plan forbids": forbidden.length,
  "parameters that are the whole cradle": matches(/\bcradle: Cradle\b/g),
  "names that core exports": exportsOf(readFileSync(join(packages, "core/src/index.ts"), "utf8")),
  "modules with hooks of tests that several files share": sharedHooks.length,
  "references to a document that is not here": count([...texts.values()], /\bparts? \d+(?: §|,? \d|\))/gi),
  "references that lead nowhere": dead.length,
  ...Object.fromEntries(Object.entries(large).map(([name, places]) => [name, places.length])),
};

const limitsFile = join(here, "house.json");
const limits = existsSync(limitsFile) ? JSON.parse(readFileSync(limitsFile, "utf8")) : {};
const isOther = values.root !== join(here, "..");
let worse = 0;
for (const [name, figure] of Object.entries(figures)) {
  const limit = limits[name];
  const isWorse = !isOther && limit !== undefined && figure > limit;
  if (isWorse) worse += 1;
  console.log(`${String(figure).padStart(7)}  ${name}${isWorse ? `: it was ${limit}, and may only become less` : ""}`);
}
for (const each of [...dead, ...forbidden]) console.log(`         ${each}`);
if (values.large) for (const [name, places] of Object.entries(large)) console.log(`${name}:\n  ${places.join("\n  ")}`);
// New features take lines, so lines are only printed and have no bound.
for (const { name, lines } of product) console.log(`${String(lines).padStart(7)}  lines of ${name}`);
if (values.folders) {
  const lines = new Map();
  for (const { path, text } of core) {
    const inCore = relative(coreSource, path).split("/");
    const folder = domainOf(path) ?? (inCore.length > 1 ? inCore[0] : "its doors");
    lines.set(folder, (lines.get(folder) ?? 0) + countLines(text));
  }
  for (const [folder, count] of [...lines].sort()) console.log(`${String(count).padStart(7)}  lines of core/${folder}`);
}
if (values.write && !isOther && worse === 0) writeFileSync(limitsFile, `${JSON.stringify(figures, undefined, 2)}\n`);
else if (worse > 0) process.exitCode = 1;
