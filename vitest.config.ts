import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { failures } from "./scripts/failures.ts";

// Of the programs that the stories start, each takes half as long when it finds itself compiled: 0.7 in place of 1.3 s.
process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(new URL("node_modules/.cache/compiled", import.meta.url));

interface ProjectOptions {
  readonly globalSetup?: string[];
  readonly include: string[];
  readonly exclude?: string[];
  /** Files have processes of their own. The engine keeps no state outside of its objects, so most need none. */
  readonly isolate?: boolean;
  /** Files wait for nothing: a worker for each core, after the other projects, since each warms up the engine for itself. */
  readonly isBusy?: boolean;
  /** Node options of the processes of this project, after the options that all projects share. */
  readonly execArgv?: string[];
}

const project = (name: string, options: ProjectOptions) => {
  const { execArgv = [], globalSetup = [], include, exclude = [], isolate = false, isBusy = false } = options;
  return {
    extends: true as const,
    test: {
      ...{ name, root: ".", execArgv, globalSetup, isolate, include },
      ...(isBusy ? { maxWorkers: 2, sequence: { groupOrder: 1 } } : {}),
      exclude: [...configDefaults.exclude, ...exclude],
    },
  };
};
/** What these measure is processor time or memory, and what other files left would count. */
const MEASURED = [
  "adapters/src/blobs/s3/s3-blob-store.test.ts",
  "core/src/desk/texts/template.test.ts",
  "core/src/directory/{auth,secrets,users}/services/{keys/keys,loop-lag,passwords}.test.ts",
  "core/src/{directory/secrets,directory/web-hooks}/rules/{mask,redact}.test.ts",
  "core/src/expressions/{bounds/limits,regex/regex*,template}.test.ts",
  "core/src/{lib,memory,search,wire}/**/{analyse,hostile,html,mask-arguments,match,render,strip-tags}.test.ts",
  "core/src/work/schedules/operations/preview.test.ts",
].map((path) => `packages/${path}`);
const CORE = ["packages/core/{src,test}/**/*.test.ts"];
const PACKAGES = ["packages/{adapters,client,create,http-hono,storage-pg,storage-sqlite}/{src,test}/**/*.test.ts"];
/** What these mostly do is wait for databases, nodes or sockets: the half of the engine would end two minutes after the other. */
const STORAGES = ["packages/storage-{pg,sqlite}/{src,test}/**/*.test.ts", "packages/adapters/src/agents/**/*.test.ts"];
const DASHBOARD = ["packages/dashboard/{src,test}/**/*.test.ts"];
const PROGRAMS = ["{attack,docs/scripts,examples,scripts}/**/*.test.{ts,mjs}"];
const setupAt = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const postgres = [setupAt("packages/storage-pg/test/embedded-postgres.ts")];
const chromium = [setupAt("packages/dashboard/test/fixture/unpack.ts")];

/**
 * The half of all tests that `scripts/unit.mjs` asks for, in as few processes as can be, since each loads the code anew and warms
 * it up, for five seconds or more. Files that are chosen by hand run by package, and PostgreSQL starts where it is needed.
 */
const half = process.env["SIGNALBOX_TESTS"];
const HALVES = {
  engine: { include: [...CORE, ...PACKAGES], exclude: [...MEASURED, ...STORAGES] },
  stories: { include: [...DASHBOARD, ...PROGRAMS, ...STORAGES], exclude: MEASURED },
};

/**
 * The order of a half. Files with a process of their own come first, then files that mostly wait for programs and browsers, the longest
 * first: at the end the workers take short files, so that none of them works alone.
 */
const ORDER = [
  /\/attack\/short|\/two-nodes\.|\/access\.|\/(?:workflows|jobs)-crash\.|\/rotation\/|\/standalone\.|dashboard\/test\/hostile\./,
  /\/(?:attack|examples|(?:dashboard|http-hono)\/test|storage-(?:pg|sqlite)|agents)\//,
  /(?:)/,
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    if (half === undefined) return sorted;
    const rank = ({ project: { name }, moduleId }: TestSpecification): number =>
      name === "measured" ? -1 : ORDER.findIndex((pattern) => pattern.test(moduleId));
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}

/** Hashes passwords at little cost, wherever a test or the engine asks for the usual cost; measured tests pay that. */
const quick = ["--import", new URL("scripts/code/quick-passwords.mjs", import.meta.url).href];

const measured = project("measured", { include: MEASURED, isolate: true });
const packages = [
  project("core", { execArgv: quick, include: CORE, exclude: MEASURED, isBusy: true }),
  project("packages", { execArgv: quick, globalSetup: postgres, include: PACKAGES, exclude: MEASURED }),
  project("examples", { globalSetup: [...postgres, ...chromium], include: PROGRAMS }),
  project("dashboard", { globalSetup: chromium, include: DASHBOARD }),
  measured,
];

function halfOf(name: string) {
  if (name !== "engine" && name !== "stories")
    throw new Error(`SIGNALBOX_TESTS is "engine" or "stories", not "${name}"`);
  const globalSetup = name === "engine" ? postgres : [...postgres, ...chromium];
  const whole = project(name, { execArgv: name === "engine" ? quick : [], globalSetup, ...HALVES[name] });
  return name === "engine" ? [measured, whole] : [whole];
}

export default defineConfig({
  test: {
    // Node takes types away by itself and runs our modules as they stand: a runner that transforms all of them first, and reads
    // each name of another module from an object, took a tenth more of processor time for the same tests.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    execArgv: ["--conditions=@signalbox/source"],
    // Of the workers alone: the browser, which is unpacked before them, stays for the next run.
    env: { TMPDIR: process.env["SIGNALBOX_TESTS_FOLDER"] ?? tmpdir() },
    reporters: ["default", failures],
    // What passing tests print on purpose, refusals and lost connections, would bury what a failing one prints.
    silent: "passed-only",
    // Many mostly wait for a database, a browser, or processes that they start and kill: five keep two cores busy.
    maxWorkers: half === undefined ? 4 : half === "stories" ? 3 : 2,
    // For what hangs. A real database on a busy machine takes its time, and no test is judged by the wall.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    sequence: { sequencer: LongestFirst },
    projects: half === undefined ? packages : halfOf(half),
  },
});
