import type { ProcessSample, Timelines } from "../../model.ts";

const MAX_SECONDS = 300;
const MAX_MINUTES = 1440;
/** Most processes and connections in one timeline, over all its samples; the oldest samples are dropped. */
const MAX_ENTRIES = 20_000;
const MAX_COMMAND = 1000;
const BRIEF = ["cpu", "memRss", "command", "disk", "net"] as const;

type Procs = ProcessSample["procs"];

export const emptyTimelines: Timelines = { second: [], minute: [] };

/**
 * Adds a sample of the job's processes: a brief one for the second, a full one once per minute (docs/contract/jobs.md#updates).
 */
export function addSample(lines: Timelines, procs: Procs, conns: readonly unknown[], now: number): Timelines {
  const minute = Math.floor(now / 60) * 60;
  const isNewMinute = (lines.minute.at(-1)?.epoch ?? Number.NEGATIVE_INFINITY) < minute;
  return {
    second: append(lines.second, { epoch: now, procs: briefly(procs) }, MAX_SECONDS),
    minute: isNewMinute ? append(lines.minute, { epoch: minute, procs, conns }, MAX_MINUTES) : lines.minute,
  };
}

function append(line: readonly ProcessSample[], sample: ProcessSample, samples: number): readonly ProcessSample[] {
  const next = [...line, sample].slice(-samples);
  let room = MAX_ENTRIES;
  // The newest sample is kept, however large it is.
  const first = next.findLastIndex((each, index) => {
    room -= sizeOf(each);
    return room < 0 && index < next.length - 1;
  });
  return first < 0 ? next : next.slice(first + 1);
}

const sizeOf = ({ procs, conns = [] }: ProcessSample): number => Object.keys(procs).length + conns.length;

function briefly(procs: Procs): Procs {
  return Object.fromEntries(
    Object.entries(procs).map(([pid, process]) => [
      pid,
      Object.fromEntries(BRIEF.flatMap((member) => (member in process ? [[member, brief(process[member])]] : []))),
    ]),
  );
}

const brief = (value: unknown): unknown => (typeof value === "string" ? value.slice(0, MAX_COMMAND) : value);

export interface Average {
  readonly total: number;
  readonly count: number;
}

const numberOf = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) ? value : 0);

/**
 * Mean bytes per second over the life of a job, from its minutes. Disk values are totals per process, network values are already
 * rates.
 */
export function averages({ minute }: Timelines): { disk: Average; net: Average } {
  let disk = 0;
  for (const [index, sample] of minute.entries()) {
    const before = minute[index - 1];
    if (before) disk += diskIncrease(before, sample) / Math.max(1, sample.epoch - before.epoch);
  }
  const net = minute.reduce(
    (sum, { procs }) => sum + Object.values(procs).reduce((each, { net: rate }) => each + numberOf(rate), 0),
    0,
  );
  return { disk: { total: disk, count: Math.max(0, minute.length - 1) }, net: { total: net, count: minute.length } };
}

function diskIncrease(before: ProcessSample, after: ProcessSample): number {
  return Object.entries(after.procs).reduce((sum, [pid, process]) => {
    const earlier = before.procs[pid];
    return earlier ? sum + Math.max(0, numberOf(process["disk"]) - numberOf(earlier["disk"])) : sum;
  }, 0);
}
