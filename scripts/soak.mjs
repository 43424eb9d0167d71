/**
 * The command `npm run soak`: the long forms of tests that `npm test` runs in short. `kills` are the stories whose
 * process is killed, with their full counts; `inputs` gives each operation 24 times as many hostile values, each
 * storage twelve times as many random histories, and alerts four times as many; `rounds` repeats in full the tests that
 * `npm test` repeats a few times, in all files that import `packages/core/test/rounds.ts`; `notices` plays ten thousand
 * histories of notices; `week` plays all days of a fresh installation; `storages` runs on all storages the tests that
 * `npm test` runs on one; `faults` fails each statement, transaction, call, mail, hook and message of a scenario once,
 * and takes further options (`-- faults --every 10`);
 * `hosts` installs NestJS, Next.js, Nuxt, SvelteKit, Astro, React Router, Bun, Deno, Knex, Drizzle, TypeORM, Prisma, winston,
 * bundlers and readers of OpenAPI beside us, and tries hosts, transactions and the document in them. Without a name it
 * runs all.
 */
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const vitest = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url));
const STORIES = ["crash", "rotation", "two-nodes"];

/** Tests that import `rounds`, and folders of tests whose helpers do. */
const repeating = () =>
  globSync("{packages/*/{src,test},examples/test}/**/*.ts", { cwd: root })
    .filter((file) => readFileSync(`${root}${file}`, "utf8").includes('/rounds.ts"'))
    .map((file) => (file.endsWith(".test.ts") ? file : dirname(file)));

const PARTS = {
  kills: [vitest, "run", "--project", "examples", ...STORIES],
  inputs: [
    vitest,
    "run",
    "--project",
    "core",
    "--project",
    "packages",
    "core/test/hostile",
    "src/model.test",
    "alerts/sequences",
  ],
  rounds: [vitest, "run", ...repeating()],
  notices: [vitest, "run", "--project", "core", "notices/histories"],
  week: [vitest, "run", "--project", "core", "notices/quiet-week"],
  storages: [vitest, "run", "--project", "packages", "packages/http-hono/test"],
  // Frameworks and runtimes, in their own folder: they are larger than all other packages together.
  hosts: [vitest, "run", "--project", "examples", "examples/test/hosts-apart"],
  faults: ["--conditions=@signalbox/source", "packages/storage-sqlite/test/soak.ts"],
};

const [name, ...options] = process.argv.slice(2);
const parts = name === undefined ? Object.keys(PARTS) : [name];
for (const part of parts) {
  const command = PARTS[part];
  if (!command) throw new Error(`There is no part "${part}": ${Object.keys(PARTS).join(", ")}`);
  if (part === "hosts") installApart();
  const whole = {
    SIGNALBOX_KILLS: "whole",
    SIGNALBOX_INPUTS: "240",
    SIGNALBOX_ROUNDS: "whole",
    SIGNALBOX_HISTORIES: "500",
    SIGNALBOX_NOTICES: "10000",
    SIGNALBOX_WEEK: "whole",
    SIGNALBOX_STORAGES: "all",
  };
  const env = { ...process.env, ...whole };
  const { status } = spawnSync(process.execPath, [...command, ...options], { cwd: root, env, stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
}

function installApart() {
  const command = ["install", "--prefix", "examples/hosts-apart", "--no-audit", "--no-fund", "--no-package-lock"];
  const { status } = spawnSync("npm", command, { cwd: root, stdio: "inherit" });
  if (status !== 0) throw new Error("The packages of examples/hosts-apart could not be installed");
}
