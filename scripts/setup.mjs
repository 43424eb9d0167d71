// Sets up a fresh clone: installs the locked packages when they are missing or older than the lock. Plain JavaScript on purpose:
// it runs on the machine's own Node, before ours is installed.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const stamp = join(root, "node_modules", ".signalbox-lock");
const lock = readFileSync(join(root, "package-lock.json"), "utf8");
const bundled = join(root, "node_modules", ".bin", "node");

function install() {
  console.log("Installing dependencies (npm ci) ...");
  // The lock has versions and hashes, so package metadata from npm's cache is as good as fresh.
  const flags = ["--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
  const { status } = spawnSync("npm", ["ci", ...flags], {
    cwd: root,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (status !== 0) process.exit(status ?? 1);
}

// The packages are built for Node 22.18, and their sources, which run here as they stand, have `using`.
const isNewEnough = () => existsSync(bundled) || Number.parseInt(process.versions.node, 10) >= 24;

if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== lock || !isNewEnough()) {
  install();
  // The locked Node is optional, as not every platform has it: npm also skips it silently when its download fails.
  if (!isNewEnough()) install();
  if (isNewEnough()) writeFileSync(stamp, lock);
}

if (!isNewEnough()) {
  console.error(`A checkout of Signalbox needs Node 24 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}
