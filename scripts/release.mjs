/**
 * The command `npm run release`. `-- --dry-run` checks the packages to publish, packs them, installs the tarballs into a fresh
 * app and runs README's program there. `-- 0.2.0` sets the version of all packages, and turns the text under "Unreleased" in
 * CHANGELOG.md into its section. Without an argument it does all these checks, and publishes.
 */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { changelogFor, faultsOf, withVersion } from "./release/rules.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (...path) => readFileSync(join(root, ...path), "utf8");
const textOrNothing = (...path) => {
  try {
    return read(...path);
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
};
const run = (command, ...args) => execFileSync(command, args, { cwd: root, stdio: "inherit" });

const names = readdirSync(join(root, "packages"));
const packages = names.map((name) => ({
  name,
  manifest: JSON.parse(read("packages", name, "package.json")),
  readme: textOrNothing("packages", name, "README.md"),
  license: textOrNothing("packages", name, "LICENSE"),
}));
const [argument] = process.argv.slice(2);

if (argument?.startsWith("-") && argument !== "--dry-run") {
  console.error("Usage: npm run release [-- --dry-run | -- VERSION]; without an argument it publishes");
  process.exitCode = 2;
} else if (argument !== undefined && argument !== "--dry-run") setVersion(argument);
else {
  const isForReal = argument === undefined;
  const faults = faultsOf({ packages, license: read("LICENSE"), changelog: read("CHANGELOG.md"), isForReal });
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exit(1);
  if (isForReal) run("npm", "test");
  else run(process.execPath, "scripts/footprint.mjs");
  if (isForReal) publish();
}

/** Publishes the packages in the order of their dependencies, so that none appears before a package that it needs. */
function publish() {
  const done = new Set();
  while (done.size < packages.length)
    for (const { name, manifest } of packages) {
      const needs = Object.keys(manifest.dependencies ?? {}).filter((each) => each.startsWith("@signalbox/"));
      if (done.has(manifest.name) || needs.some((each) => !done.has(each))) continue;
      run("npm", "publish", "--workspace", `packages/${name}`);
      done.add(manifest.name);
    }
}

function setVersion(version) {
  for (const folder of [...names.map((name) => join("packages", name)), "examples", "docs", "bench", "attack"]) {
    const path = join(root, folder, "package.json");
    writeFileSync(path, withVersion(readFileSync(path, "utf8"), version));
  }
  writeFileSync(join(root, "CHANGELOG.md"), changelogFor(read("CHANGELOG.md"), version, new Date()));
  run("npm", "install", "--package-lock-only", "--ignore-scripts");
}
