/**
 * The steps of `npm test` after the installation: the compiler beside the builds, then all tests. The checks of the sources run
 * beside them, one after the other. Prints the output of each command in one piece.
 */
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { FAILURES } from "./failures.ts";

/**
 * The compiler is short-lived and shares two processors with other steps, so it collects garbage rarely and in one thread: 18 s
 * of processor time instead of 25, and 2.2 GB of memory instead of 1.2.
 */
Object.assign(process.env, { GOGC: "400", GOMAXPROCS: "1", ...process.env });

const root = fileURLToPath(new URL("..", import.meta.url));
/** The checks compile sources that the tests load next: five processes of a fresh clone find them in the cache. */
process.env.NODE_COMPILE_CACHE ??= join(root, "node_modules/.cache/compiled");
const CHECKS = ["lint", "reference -- --check", "house"];
const CHECKS_OF_BUILDS = ["snippets", "release -- --dry-run"];
/** Commands that failed. */
const failed = [];

/**
 * Runs a script of package.json without npm, which takes a fifth of a second to start. Buffers its output until it ends, unless
 * it is `live`. A command that comes `later` leaves the processors to the others. Resolves when the command has ended, with a
 * function that prints the output.
 */
async function run(script, { live = false, later = false } = {}) {
  const began = performance.now();
  const stdio = ["ignore", ...(live ? ["inherit", "inherit"] : ["pipe", "pipe"])];
  const child = spawn(process.execPath, ["--run", ...script.split(" ")], { cwd: root, stdio });
  if (later && child.pid) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const kept = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => kept.push(chunk));
  const code = await new Promise((resolve) => child.on("close", resolve));
  if (code !== 0) failed.push(`npm run ${script}`);
  const tell = () => {
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    console.log(`${code === 0 ? "passed" : `FAILED (${code})`}: npm run ${script}, after ${seconds} s`);
    process.stdout.write(Buffer.concat(kept));
  };
  return { tell };
}

async function inTurn(scripts, options) {
  for (const script of scripts) (await run(script, options)).tell();
}

rmSync(FAILURES, { recursive: true, force: true });
const typed = inTurn(["types"]);
const bundled = inTurn(["bundle"]);
const checked = bundled.then(() => inTurn(CHECKS, { later: true }));
await Promise.all([typed, bundled]);
// Tests start programs that are built, and compile others against their types.
if (failed.length === 0) {
  const ended = checked.then(() => inTurn(CHECKS_OF_BUILDS, { later: true }));
  const tests = await run("unit", { live: true });
  await ended;
  tests.tell();
} else await checked;
if (failed.length > 0) {
  process.exitCode = 1;
  // Printed last, because often only the end of a long output is kept.
  console.log(`\nFailed: ${failed.join(", ")}`);
  const files = existsSync(FAILURES) ? readdirSync(FAILURES) : [];
  if (files.length > 0)
    console.log(`Tests that failed:\n${files.map((file) => readFileSync(join(FAILURES, file), "utf8")).join("")}`);
}
