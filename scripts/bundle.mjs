// Joins the compiled modules of each package into one file per entry point (docs/decisions.md, "What is published").
// Other packages stay imports, and what two entries share becomes a file of its own, so nothing is loaded twice.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const PACKAGES = ["core", "adapters", "http-hono", "storage-sqlite", "storage-pg"];
const root = join(dirname(fileURLToPath(import.meta.url)), "..", "packages");

/** Compiled module of each entry point, by the name of the file that is published for it. */
function entriesOf(folder) {
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const targets = Object.values(exports).filter((target) => typeof target === "object");
  return Object.fromEntries(
    targets.map(({ types, default: published }) => [
      published.replace(/^\.\/lib\/|\.js$/g, ""),
      join(folder, types.replace(/\.d\.ts$/, ".js")),
    ]),
  );
}

async function bundle(folder) {
  const build = await rolldown({
    input: entriesOf(folder),
    external: /^[^./]/,
    platform: "node",
    onLog(level, log) {
      if (level === "warn") throw new Error(log.message);
    },
  });
  await build.write({
    dir: join(folder, "lib"),
    cleanDir: true,
    format: "esm",
    sourcemap: true,
    // Comments are read in the sources, which are published as well.
    comments: false,
    entryFileNames: "[name].js",
    chunkFileNames: "shared/[name].js",
  });
}

await Promise.all(PACKAGES.map((name) => bundle(join(root, name))));
