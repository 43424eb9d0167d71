/**
 * What `npm test` does once everything is installed: the builds and the checks of the sources need nothing of each other and
 * run side by side; then all tests, and the check of what is published beside them. A command's output is told in one piece.
 */
import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { FAILURES } from "./failures.ts";

/**
 * The compiler is short-lived and shares two processors with what runs beside it: it collects its garbage seldom, and in one thread.
 * 25 s of processor time become 18, and 1.2 GB of memory 2.2.
 */
Object.assign(process.env, { GOGC: "400", GOMAXPROCS: "1", ...process.env });

const root = fileURLToPath(new URL("..", import.meta.url));
/** The longest first, so that the last one to end is a short one. */
const CHECKS = ["types", "lint", "bundle", "reference -- --check", "snippets", "house"];
const TESTS = "unit";
const BESIDE_TESTS = ["release -- --dry-run"];

/** Runs an npm script; its output is kept until it ends, unless it is `live`. Resolves with whether it succeeded. */
async function run(script, { live = false } = {}) {
  const began = performance.now();
  const stdio = ["ignore", ...(live ? ["inherit", "inherit"] : ["pipe", "pipe"])];
  const child = spawn(`npm run --silent ${script}`, { cwd: root, shell: true, stdio });
  const kept = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => kept.push(chunk));
  const code = await new Promise((resolve) => child.on("close", resolve));
  const tell = () => {
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    console.log(`${code === 0 ? "passed" : `FAILED (${code})`}: npm run ${script}, after ${seconds} s`);
    process.stdout.write(Buffer.concat(kept));
  };
  return { isGood: code === 0, tell };
}

async function runAll(scripts) {
  const waiting = [...scripts];
  const outcomes = [];
  const work = async () => {
    for (let script = waiting.shift(); script; script = waiting.shift()) {
      const outcome = await run(script);
      outcome.tell();
      outcomes.push(outcome.isGood);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return outcomes.every(Boolean);
}

async function test() {
  rmSync(FAILURES, { force: true });
  const beside = BESIDE_TESTS.map((script) => run(script));
  const tests = await run(TESTS, { live: true });
  const outcomes = [tests, ...(await Promise.all(beside))];
  for (const outcome of outcomes) outcome.tell();
  return outcomes.every(({ isGood }) => isGood);
}

if (!((await runAll(CHECKS)) && (await test()))) process.exitCode = 1;
// The last lines are those that are still there where only the end of a long output is kept.
if (existsSync(FAILURES)) console.log(`\nTests that failed:\n${readFileSync(FAILURES, "utf8")}`);
