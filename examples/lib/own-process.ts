/** Node and memory settings for a process that does nothing but serve. */
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Megabytes of a semi-space for new objects; there are three such spaces. By default they grow to 192 under load and stay, more
 * than everything that the server keeps. With 8 instead of 4 a start ends 4 to 6 MB larger and calls cost the same; with 2 calls
 * cost a ninth more.
 */
const YOUNG_MB = 4;

/**
 * V8 allocates objects directly in the old space if many of their kind have lived long, as nearly all do at a start. When a later
 * request makes such an object, it becomes old garbage that retains the request and its answer: both survive until the old space
 * is collected, which costs a fifth of a small read.
 */
const NOT_BORN_OLD = "--no-allocation-site-pretenuring";

/**
 * Percentage by which the old space may grow with garbage before it is collected. By default it is several times as much on a
 * machine with much memory. It costs calls a fiftieth more processor time.
 */
const SOON_COLLECTED = "--heap-growing-percent=50";

/**
 * Deriving a key takes 16 MB for a moment, on several threads: without a fixed threshold, the allocator of Linux keeps such
 * pieces, and each thread keeps its own.
 */
const MEMORY = { MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "262144" } as const;

/** Caches compiled code beside the programs; where it cannot be written, there is no cache. */
const CODE = { NODE_COMPILE_CACHE: fileURLToPath(new URL("../../node_modules/.cache/signalbox", import.meta.url)) };

/** Names the variables set here, which children do not inherit. */
const GIVEN = "SIGNALBOX_GIVEN";

/** Node flags to put before the arguments of this process. */
export function ownArguments(given: readonly string[], { NODE_OPTIONS = "" }: Variables): string[] {
  const isChosen = [...given, NODE_OPTIONS].some((flag) => /semi[-_]space/.test(flag));
  return isChosen ? [] : [`--max-semi-space-size=${YOUNG_MB}`];
}

/** V8 flags that are set once all modules are loaded. */
export const OWN_FLAGS: readonly string[] = [NOT_BORN_OLD, SOON_COLLECTED];

/**
 * Sets flags in a running process. As arguments they would cost a start 40 ms: compiled code is valid for one set of flags only,
 * so all of Node's own modules would be compiled again. And a V8 that does not know a flag would refuse to start; here it names
 * the flag on standard error and continues.
 */
export function setFlags(flags: readonly string[]): void {
  for (const flag of flags) setFlagsFromString(flag);
}

/** The variables that are not set yet. */
export function ownVariables(variables: Variables): Record<string, string> {
  const missing = Object.entries({ ...MEMORY, ...CODE }).filter(([name]) => variables[name] === undefined);
  return { ...Object.fromEntries(missing), [GIVEN]: missing.map(([name]) => name).join(" ") };
}

/** Deletes the variables set here: the process has read them at its start. */
export function dropOwnVariables(): void {
  for (const name of (process.env[GIVEN] ?? "").split(" "))
    if (Object.hasOwn({ ...MEMORY, ...CODE }, name)) delete process.env[name];
  delete process.env[GIVEN];
}
