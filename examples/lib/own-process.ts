/** What Node and its memory are told when a process has nothing to do but to be this server. */
import { fileURLToPath } from "node:url";

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Megabytes of new objects, of which there are three times as many. By default they grow to 192 under load and stay, which
 * is more than all that the server keeps.
 */
const YOUNG_MB = 8;

/**
 * The engine of Node makes objects old at once where many of their kind have lived long, as at a start nearly all do. Such an
 * object of a later request is old garbage that holds the request and its answer: each survives until all old objects are
 * looked at, which costs a fifth of a small read.
 */
const NOT_BORN_OLD = "--no-allocation-site-pretenuring";

/**
 * Old objects that nobody needs may take so many percent of the others before they are collected. By default it is several
 * times as much on a machine with much memory. It costs a tenth more processor time while tickets are made.
 */
const SMALL_GROWTH = 50;

/**
 * To derive a key takes 16 MB for a moment, on several threads: without a threshold of its own the allocator of Linux keeps
 * such pieces, and each thread keeps its own.
 */
const MEMORY = { MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "262144" } as const;

/** Compiled code beside the programs that were compiled; where it cannot be written, nothing is kept. */
const CODE = { NODE_COMPILE_CACHE: fileURLToPath(new URL("../../node_modules/.cache/signalbox", import.meta.url)) };

/** Names the variables that were set here, which children do not inherit. */
const GIVEN = "SIGNALBOX_GIVEN";

/** Arguments of Node in front of those it was started with. */
export function ownFlags(given: readonly string[], variables: Variables): string[] {
  const { NODE_OPTIONS = "", SIGNALBOX_MEMORY } = variables;
  const isChosen = [...given, NODE_OPTIONS].some((flag) => /semi[-_]space/.test(flag));
  const young = isChosen ? [] : [`--max-semi-space-size=${YOUNG_MB}`];
  const flags = [...young, NOT_BORN_OLD];
  return SIGNALBOX_MEMORY === "small" ? [...flags, `--heap-growing-percent=${SMALL_GROWTH}`] : flags;
}

/** Variables that are not set yet. */
export function ownVariables(variables: Variables): Record<string, string> {
  const missing = Object.entries({ ...MEMORY, ...CODE }).filter(([name]) => variables[name] === undefined);
  return { ...Object.fromEntries(missing), [GIVEN]: missing.map(([name]) => name).join(" ") };
}

/** They were read when the process began. */
export function dropOwnVariables(): void {
  for (const name of (process.env[GIVEN] ?? "").split(" "))
    if (Object.hasOwn({ ...MEMORY, ...CODE }, name)) delete process.env[name];
  delete process.env[GIVEN];
}
