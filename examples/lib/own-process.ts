/** Settings of Node and its memory for a process that does nothing but serve. */
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Megabytes of new objects, of which there are three times as many. By default they grow to 192 under load and stay, which
 * is more than all that the server keeps. With 8 in place of 4 a start ends 4 to 6 MB larger, and calls cost the same; with 2 they cost a
 * ninth more.
 */
const YOUNG_MB = 4;

/**
 * The engine of Node makes objects old at once where many of their kind have lived long, as at a start nearly all do. Such an
 * object of a later request is old garbage that holds the request and its answer: each survives until all old objects are
 * looked at, which costs a fifth of a small read.
 */
const NOT_BORN_OLD = "--no-allocation-site-pretenuring";

/**
 * Old objects that nobody needs may take so many percent of the others before they are collected. By default it is several
 * times as much on a machine with much memory. It costs calls a fiftieth more processor time.
 */
const SOON_COLLECTED = "--heap-growing-percent=50";

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
export function ownArguments(given: readonly string[], { NODE_OPTIONS = "" }: Variables): string[] {
  const isChosen = [...given, NODE_OPTIONS].some((flag) => /semi[-_]space/.test(flag));
  return isChosen ? [] : [`--max-semi-space-size=${YOUNG_MB}`];
}

/** Flags of V8 that are set once all modules are loaded. */
export const OWN_FLAGS: readonly string[] = [NOT_BORN_OLD, SOON_COLLECTED];

/**
 * Sets flags in a process that runs. As arguments they would cost a start 40 ms: compiled code is good for one set of flags
 * alone, so that all of Node's own modules would be compiled anew. And an engine that does not know a flag would not start; here it
 * names it on standard error and goes on.
 */
export function setFlags(flags: readonly string[]): void {
  for (const flag of flags) setFlagsFromString(flag);
}

/** Variables that are not set yet. */
export function ownVariables(variables: Variables): Record<string, string> {
  const missing = Object.entries({ ...MEMORY, ...CODE }).filter(([name]) => variables[name] === undefined);
  return { ...Object.fromEntries(missing), [GIVEN]: missing.map(([name]) => name).join(" ") };
}

/** Deletes the variables that were set here: the process has read them at its begin. */
export function dropOwnVariables(): void {
  for (const name of (process.env[GIVEN] ?? "").split(" "))
    if (Object.hasOwn({ ...MEMORY, ...CODE }, name)) delete process.env[name];
  delete process.env[GIVEN];
}
