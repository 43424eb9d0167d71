import type { Effect, Input, StartChoice, StartFacts } from "../../../src/work/jobs/lifecycle/rules/transition.ts";
import { startLimits } from "../../../src/work/jobs/limits/rules/limits.ts";
import type { ActiveJob, Job, JobState } from "../../../src/work/jobs/model.ts";

export const NOW = 1_795_253_600;

export const server = { id: "s1", name: "web01", groups: ["main"] };

export const chosen: StartChoice = { kind: "chosen", server };

export function record(state: JobState, job: Partial<Job> = {}, rest: Partial<ActiveJob> = {}): ActiveJob {
  const onServer = state === "active" || state === "finishing";
  const chosen = onServer || state === "starting" ? { server: "s1", groups: ["main"] } : {};
  const members = { ...chosen, ...(onServer ? { remote: true, updated: NOW - 1 } : {}) };
  return {
    id: "j1",
    launched: NOW - 10,
    details: { activity: [] },
    job: { id: "j1", event: "e1", state, started: NOW - 10, ...members, ...job },
    ...rest,
  };
}

export const facts = (changes: Partial<StartFacts> = {}): StartFacts => ({
  refusal: undefined,
  limits: startLimits([]),
  running: 0,
  queued: 0,
  choice: chosen,
  ...changes,
});

export const limited = (job: number, queue: number) =>
  startLimits([
    { enabled: true, type: "job", amount: job },
    { enabled: true, type: "queue", amount: queue },
  ]);

export const kinds = (effects: readonly Effect[]): string[] =>
  effects.map(({ kind }) => kind).filter((kind) => kind !== "meta");

export const INPUTS: Readonly<Record<string, Input>> = {
  due: { kind: "due" },
  check: { kind: "check", facts: facts() },
  started: { kind: "started", serverReady: true },
  missed: { kind: "started", serverReady: false },
  unsent: { kind: "unsent" },
  slot: { kind: "slot" },
  abort: { kind: "abort", reason: "stop", connected: true },
  orphan: { kind: "abort", reason: "stop", connected: false },
  watch: { kind: "watch", timeout: 120, since: 0 },
  lost: { kind: "lost", reason: "gone" },
  finishing: { kind: "reported", state: "finishing" },
  complete: { kind: "reported", state: "complete" },
  restarted: { kind: "restarted" },
};
