import { isOver, jobState } from "../../../data/jobs/job-state.ts";
import type { ActiveJob } from "../../../data/records/counts.ts";
import { isRecord } from "../../../data/records/is-record.ts";
import type { StateName } from "../../../parts/basic/basic.tsx";

type Members = Readonly<Record<string, unknown>>;

/** An ended job of a node, as stored in the run. */
export interface Stub {
  readonly id: string;
  readonly code?: unknown;
  readonly description?: string;
  readonly server?: string;
  readonly completed?: number;
  readonly elapsed?: number;
  readonly retried?: unknown;
}

/** State of a run of a graph (docs/contract/workflows.md#state). */
export interface RunFacts {
  readonly state: Readonly<Record<string, Members>>;
  readonly jobs: Readonly<Record<string, readonly Stub[]>>;
  /** Jobs that have not ended, by node. */
  readonly active: ReadonlyMap<string, readonly ActiveJob[]>;
}

export interface NodeLook {
  readonly state: StateName;
  /** "3 / 10" for a controller, else the number of jobs if there are several. */
  readonly note: string;
}

interface RunOf {
  readonly job?: string;
  readonly event?: string;
}

/** The node that an active job belongs to, if it is part of the given run. */
function nodeOf(job: ActiveJob, of: RunOf): string | undefined {
  const part = job["workflow"];
  if (!isRecord(part) || typeof part["node"] !== "string" || isOver(job)) return undefined;
  const isOurs = of.job === undefined ? part["event"] === of.event : part["job"] === of.job;
  return isOurs ? part["node"] : undefined;
}

/** State of a run, from the workflow's job. Active jobs come from the live channel. */
export function factsOf(workflow: unknown, active: readonly ActiveJob[], of: RunOf): RunFacts {
  const { state, jobs } = isRecord(workflow) ? workflow : {};
  const byNode = Map.groupBy(active, (job) => nodeOf(job, of) ?? "");
  byNode.delete("");
  const known = (value: unknown) => (isRecord(value) ? value : {});
  return { state: known(state) as RunFacts["state"], jobs: known(jobs) as RunFacts["jobs"], active: byNode };
}

const WORST: readonly StateName[] = ["crit", "fail", "warn", "abort", "ok"];

/** State of a node in a run; undefined if the run has not reached it. */
export function lookOf(id: string, { state, jobs, active }: RunFacts): NodeLook | undefined {
  const running = active.get(id) ?? [];
  const ended = (Array.isArray(jobs[id]) ? (jobs[id] ?? []) : []).filter(({ retried }) => !retried);
  const own = isRecord(state[id]) ? state[id] : undefined;
  const found = ofRunning(running) ?? ofOwn(own) ?? ofEnded(ended) ?? ofPassed(own);
  return found && { state: found, note: noteOf(running.length + ended.length, own) };
}

const noteOf = (count: number, own: Members | undefined): string => {
  if (typeof own?.["max"] === "number") return `${Number(own["count"] ?? 0)} / ${own["max"]}`;
  return count > 1 ? `${count}` : "";
};

function ofRunning(jobs: readonly ActiveJob[]): StateName | undefined {
  if (jobs.length === 0) return undefined;
  return jobs.some((job) => jobState(job) === "run") ? "run" : "wait";
}

function ofOwn(own: Members | undefined): StateName | undefined {
  if (own?.["error"]) return "fail";
  return own?.["active"] ? "run" : undefined;
}

function ofEnded(stubs: readonly Stub[]): StateName | undefined {
  const states = stubs.map(({ code }) => jobState({ code, complete: true }));
  return WORST.find((name) => states.includes(name));
}

const ofPassed = (own: Members | undefined): StateName | undefined =>
  own && Object.keys(own).length > 0 ? codeState(own["code"]) : undefined;

/** State of a node without jobs, such as an action: from its result code. */
const codeState = (code: unknown): StateName => (code ? "fail" : "ok");

/** True if the run has followed the wire. */
export const isTaken = (id: string, { state }: RunFacts): boolean => isRecord(state[id]);
