/**
 * The command `npm run unit`: all tests in two parallel halves, the engine's with two workers, and the stories of programs,
 * browsers and databases, which often wait, with three. A worker only warms up the code of its half: 2,346 tests took 84 s of
 * processor time in two workers, and 118 in four. The output of the stories is printed when they are over, so that each half is
 * one text. Temporary files of tests are kept in memory if there is room: two fifths of the time of tests on SQLite was spent
 * on disk flushes, and no test cuts the power.
 */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "./temporary-folder.mjs";

const vitest = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url));

const folder = temporaryFolder();
process.on("exit", folder.remove);
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));

/** Runs a half; resolves with its exit code and, unless it is `live`, its output. */
async function run(half, { live = false } = {}) {
  const child = spawn(process.execPath, [vitest, "run"], {
    env: { ...process.env, SIGNALBOX_TESTS: half, SIGNALBOX_TESTS_FOLDER: folder.path },
    stdio: ["ignore", ...(live ? ["inherit", "inherit"] : ["pipe", "pipe"])],
  });
  const kept = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => kept.push(chunk));
  const code = await new Promise((resolve) => child.on("close", resolve));
  return { code, text: Buffer.concat(kept) };
}

const halves = await Promise.all([run("engine", { live: true }), run("stories")]);
for (const { text } of halves) process.stdout.write(text);
if (halves.some(({ code }) => code !== 0)) process.exitCode = 1;
