import type { Candidate } from "../../../../fleet/servers/rules/targets.ts";

/** Capacity of a server: its own `maxJobs`, otherwise the lowest non-zero default of its groups; undefined = unbounded. */
export function serverCap(maxJobs: unknown, groupCaps: readonly unknown[]): number | undefined {
  if (typeof maxJobs === "number" && maxJobs > 0) return maxJobs;
  const caps = groupCaps.filter((cap): cap is number => typeof cap === "number" && cap > 0);
  return caps.length > 0 ? Math.min(...caps) : undefined;
}

/** Readings of the candidates for an algorithm. A missing reading counts as 0. */
export interface Readings {
  readonly load: (id: string) => number;
  readonly memory: (id: string) => number;
  readonly jobs: (id: string) => number;
  /** Value of a monitor; the function is undefined if there is no such monitor. */
  readonly monitor: ((id: string) => number) | undefined;
}

export interface ChoiceOptions {
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** Stored index for `round_robin`. */
  readonly robin: number;
  readonly readings: Readings;
}

export type Choice<T> =
  | { readonly kind: "chosen"; readonly server: T; readonly robin?: number }
  | { readonly kind: "none" }
  | { readonly kind: "unknown"; readonly algo: string };

/** The monitor that an algorithm names; undefined for built-in algorithms. */
export function monitorOf(algo: string): string | undefined {
  if (algo === "" || SORTED.has(algo) || SIMPLE.has(algo)) return undefined;
  return algo.startsWith("monitor:") ? algo.slice("monitor:".length) : algo;
}

const SIMPLE: ReadonlySet<string> = new Set(["random", "round_robin", "prefer_first_natural", "prefer_last_natural"]);

const nameOf = ({ title, hostname }: Candidate): string => (title || hostname).toLowerCase();
const byName = (a: Candidate, b: Candidate): number => nameOf(a).localeCompare(nameOf(b), "en");

type Ranking = (readings: Readings) => (a: Candidate, b: Candidate) => number;
const lowest =
  (read: (readings: Readings) => (id: string) => number): Ranking =>
  (readings) =>
  (a, b) =>
    read(readings)(a.id) - read(readings)(b.id);

/** Algorithms that take the first candidate of a stable order. */
const SORTED: ReadonlyMap<string, Ranking> = new Map<string, Ranking>([
  ["least_cpu", lowest(({ load }) => load)],
  ["least_mem", lowest(({ memory }) => memory)],
  ["fewest_jobs", lowest(({ jobs }) => jobs)],
  ["prefer_first", () => byName],
  ["prefer_last", () => (a, b) => byName(b, a)],
]);

/**
 * Picks the server for a job among eligible candidates; the first one wins a tie. `none` when there is no candidate: the caller
 * then queues or fails the job.
 */
export function chooseServer<T extends Candidate>(
  candidates: readonly T[],
  algo: string,
  options: ChoiceOptions,
): Choice<T> {
  const monitor = monitorOf(algo);
  if (monitor !== undefined && !options.readings.monitor) return { kind: "unknown", algo };
  if (candidates.length === 0) return { kind: "none" };
  if (algo === "round_robin") {
    const index = placeOf(options.robin, candidates.length);
    return chosen(candidates[index], (index + 1) % candidates.length);
  }
  return chosen(pick(candidates, algo, options));
}

/** People may set the index to any number; a negative one counts from the end (docs/contract/events.md#state). */
const placeOf = (robin: number, length: number): number => ((Math.trunc(robin) % length) + length) % length;

function pick<T extends Candidate>(
  candidates: readonly T[],
  algo: string,
  { random, readings }: ChoiceOptions,
): T | undefined {
  if (algo === "prefer_first_natural") return candidates[0];
  if (algo === "prefer_last_natural") return candidates.at(-1);
  if (algo === "" || algo === "random") return candidates[Math.floor(random() * candidates.length)];
  const { monitor } = readings;
  const order =
    SORTED.get(algo)?.(readings) ?? ((a: Candidate, b: Candidate) => (monitor?.(a.id) ?? 0) - (monitor?.(b.id) ?? 0));
  return candidates.toSorted(order)[0];
}

const chosen = <T>(server: T | undefined, robin?: number): Choice<T> =>
  server === undefined ? { kind: "none" } : { kind: "chosen", server, ...(robin === undefined ? {} : { robin }) };
