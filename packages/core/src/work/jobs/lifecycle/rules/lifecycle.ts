import { readableDuration } from "../../../../lib/time/readable.ts";
import type { Action } from "../../../../wire/entries/actions-and-limits.ts";
import type { ActiveJob, Job, JobState } from "../../model.ts";
import { goingOn, withoutMembers } from "../../rules/members.ts";
import { isWaiting } from "./delay.ts";
import type { ChosenServer, Effect, Input, StartFacts, Step } from "./transition.ts";

/**
 * Most servers that may vanish before the dispatch; after each one the job looks for another
 * (docs/contract/jobs.md#from-ready-to-active).
 */
const MAX_MISSES = 3;

/** One step of a job's life (docs/contract/jobs.md#states). Returns the same record if the input changes nothing. */
export function advance(record: ActiveJob, input: Input, now: number): Step {
  switch (input.kind) {
    case "due":
      return leaveDelay(record, now);
    case "check":
      return record.job.state === "ready" ? leaveReady(record, input.facts, now) : unchanged(record);
    case "started":
      return record.job.state === "starting" ? leaveStarting(record, input.serverReady, now) : unchanged(record);
    case "unsent":
      return record.job.state === "active" ? missed(record) : unchanged(record);
    case "slot":
      return record.job.state === "queued"
        ? enter({ ...withoutMembers(record, ["position"]), waited: true }, "ready", [{ kind: "wake" }])
        : unchanged(record);
    case "abort":
      return abort(record, input, now);
    case "watch":
      return watch(record, input, now);
    case "lost":
      return isRunning(record) ? endWithout(record, input.reason) : unchanged(record);
    case "reported":
      return reported(record, input.state);
    case "restarted":
      return restarted(record, now);
  }
}

const unchanged = (record: ActiveJob): Step => ({ record, effects: [] });

const isWorkflow = ({ job }: ActiveJob): boolean => job.type === "workflow";

const isRunning = ({ job }: ActiveJob): boolean => job.state === "active" || job.state === "finishing";

const change = (record: ActiveJob, members: Partial<Job>): ActiveJob => ({
  ...record,
  job: { ...record.job, ...members },
});

function enter(record: ActiveJob, state: JobState, effects: readonly Effect[], members: Partial<Job> = {}): Step {
  return { record: change(record, { ...members, state }), effects };
}

/** States whose end lets another job move: a slot becomes free, or the line becomes shorter. */
const GIVES_ROOM: ReadonlySet<JobState> = new Set(["active", "starting", "queued"]);

/** Ends the job immediately; the completion phase follows. */
function finish(record: ActiveJob, members: Partial<Job>): Step {
  const freed: readonly Effect[] = GIVES_ROOM.has(record.job.state) ? [{ kind: "slot" }] : [];
  return enter(record, "complete", freed, { ...members, complete: true });
}

function leaveDelay(record: ActiveJob, now: number): Step {
  const { state } = record.job;
  if (state !== "start_delay" && state !== "retry_delay") return unchanged(record);
  if (isWaiting(record, now)) return unchanged(record);
  return enter(withoutMembers(record, ["until"]), "ready", [{ kind: "wake" }]);
}

function leaveReady(record: ActiveJob, facts: StartFacts, now: number): Step {
  const { limits, choice } = facts;
  if (limits.concurrent !== undefined && facts.running >= limits.concurrent)
    return waitInQueue(record, facts, FULL, {});
  if (facts.refusal !== undefined) return giveUp(record, facts.refusal);
  switch (choice.kind) {
    case "chosen":
      return start(record, choice.server, now);
    case "engine":
      return enter(record, "starting", [], { updated: now });
    case "unknown":
      return giveUp(record, `Unknown algorithm or monitor: ${choice.algo}`);
    case "wait":
      return unchanged(record);
    case "none":
      return waitInQueue(record, facts, NO_SERVER, { retry_ok: true });
  }
}

const FULL: Refusal = {
  text: "Maximum number of concurrent jobs for event has been reached",
  full: "the queue is maxed out",
};
const NO_SERVER: Refusal = { text: "No available servers matching targets", full: "the queue is full" };

interface Refusal {
  readonly text: string;
  readonly full: string;
}

const giveUp = (record: ActiveJob, description: string, members: Partial<Job> = {}): Step =>
  finish(record, { code: "abort", description, ...members });

function waitInQueue(record: ActiveJob, { limits, queued }: StartFacts, refusal: Refusal, members: Partial<Job>): Step {
  // A job that left the line but finds its slot taken returns to it, so that it does not lose its place to a later job.
  if (limits.queue > 0 && (record.waited || queued < limits.queue)) return queue(record, queued);
  return giveUp(record, limits.queue > 0 ? `${refusal.text}, and ${refusal.full}.` : `${refusal.text}.`, members);
}

function queue(record: ActiveJob, queued: number): Step {
  const position = record.job.priority ? 0 : queued + 1;
  return enter(record, "queued", [{ kind: "meta", text: `Job is queued at position ${position}` }], { position });
}

function start(record: ActiveJob, server: ChosenServer, now: number): Step {
  const { algo } = record.job;
  const effects: Effect[] = [{ kind: "meta", text: `Chosen server: ${server.name} (${algo || "random"})` }];
  return enter(record, "starting", effects, { server: server.id, groups: [...server.groups], updated: now });
}

function leaveStarting(record: ActiveJob, serverReady: boolean, now: number): Step {
  if (record.job.complete) return finish(record, {});
  if (isWorkflow(record)) {
    const effects: Effect[] = [
      { kind: "meta", text: "Moving job state from {starting} to {active}" },
      { kind: "begin" },
    ];
    return enter(record, "active", effects, { started: now, updated: now, progress: 0 });
  }
  // The job was suspended and has been resumed: it looks for a server again, and no server counts as missed
  // (docs/contract/jobs.md#suspension).
  if (record.job.server === undefined) return enter({ ...record, waited: true }, "ready", [{ kind: "wake" }]);
  if (serverReady) {
    const effects: Effect[] = [
      { kind: "meta", text: "Moving job state from {starting} to {active}" },
      { kind: "meta", text: "Sending launch command to remote server" },
      { kind: "dispatch" },
    ];
    const sent = withoutWorkflowData(record);
    const active = enter(sent, "active", effects, { started: now, updated: now, progress: 0, remote: true });
    return { ...active, record: { ...active.record, dispatched: now } };
  }
  return missed(record);
}

/** Moves the workflow's data out of the details once it has been sent, because data that the job returns is stored there. */
function withoutWorkflowData(record: ActiveJob): ActiveJob {
  if (!("workflowData" in record.details)) return record;
  const { workflowData, ...details } = record.details;
  return { ...record, details, workflowData };
}

/** The chosen server has vanished and nothing was sent: another server may take the job, a few times. */
function missed(record: ActiveJob): Step {
  const misses = (record.misses ?? 0) + 1;
  if (misses > MAX_MISSES)
    return finish(record, { code: "abort", description: "Chosen server is no longer connected.", retry_ok: true });
  const { dispatched: _never, ...kept } = withoutMembers(record, ["server", "groups", "remote", "progress"]);
  const text = "Chosen server is no longer connected; looking for another one";
  return enter({ ...kept, misses }, "ready", [{ kind: "meta", text }, { kind: "slot" }, { kind: "wake" }]);
}

function abort(given: ActiveJob, { reason, retryOk, connected }: Input & { kind: "abort" }, now: number): Step {
  const record = mayRetry(given, retryOk === true);
  const members: Partial<Job> = { code: "abort", description: reason };
  switch (record.job.state) {
    case "starting":
    case "complete":
      // Actions are running: the job ends when they have ended. It no longer waits for a person.
      return { record: change(goingOn(record), { ...members, complete: true }), effects: [{ kind: "wake" }] };
    case "active":
      if (isWorkflow(record) || (record.job.remote && connected)) return askToEnd(record, reason, now);
      return finish(record, members);
    default:
      return finish(record, members);
  }
}

/** An abort that forbids a retry takes precedence over all aborts that allow one. */
function mayRetry(record: ActiveJob, retryOk: boolean): ActiveJob {
  const { state, complete, retry_ok: isAllowed } = record.job;
  const wasRefused = (record.aborting !== undefined || (state === "starting" && complete)) && !isAllowed;
  return retryOk && !wasRefused ? change(record, { retry_ok: true }) : withoutMembers(record, ["retry_ok"]);
}

/** Asks for the end of a job, which follows once its agent has ended it; a workflow ends with its sub-jobs. */
function askToEnd(record: ActiveJob, reason: string, now: number): Step {
  const [noun, kind] = isWorkflow(record) ? (["workflow", "end_parts"] as const) : (["job", "send_abort"] as const);
  const effects: Effect[] = [
    { kind: "meta", text: `Aborting ${noun}: ${reason}` },
    { kind, reason },
  ];
  const { aborting = now, abortReason = reason } = record;
  return { record: { ...change(record, { updated: now }), aborting, abortReason }, effects };
}

/**
 * Ends a running job whose agent is silent or has not obeyed an abort in time (docs/contract/jobs.md#silence-and-lost-servers).
 */
function watch(given: ActiveJob, { timeout, since: start }: Input & { kind: "watch" }, now: number): Step {
  // No agent reports on a workflow: its sub-jobs are watched one by one.
  if (!isRunning(given) || isWorkflow(given)) return unchanged(given);
  const record = withoutTimesToCome(given, now);
  const { job, aborting } = record;
  const since = start > now ? 0 : start;
  const isSilent = now - Math.max(job.updated ?? job.started, since) >= timeout;
  const isUnanswered = aborting !== undefined && now - Math.max(aborting, since) >= timeout;
  if (!isSilent && !isUnanswered) return unchanged(record);
  const silent = `No updates received in last ${readableDuration(timeout)}, assuming job is dead.`;
  const told: readonly Effect[] = job.remote && isSilent ? [{ kind: "send_abort", reason: silent }] : [];
  const ended = endWithout(record, silent);
  return { ...ended, effects: [...told, ...ended.effects] };
}

/** Replaces times in the future, which remain after a clock was set back, by the current time. */
function withoutTimesToCome(record: ActiveJob, now: number): ActiveJob {
  const { aborting = now, job } = record;
  const { updated = job.started } = job;
  const heard = updated > now ? change(record, { updated: now }) : record;
  return aborting > now ? { ...heard, aborting: now } : heard;
}

/**
 * Ends a job whose agent is silent. A job that was being aborted keeps the reason of the abort, so that a job stopped by a person
 * is not retried because its agent hangs.
 */
const endWithout = (record: ActiveJob, description: string): Step =>
  record.aborting === undefined
    ? finish(record, { code: "abort", description, retry_ok: true })
    : finish(record, { code: "abort", description: record.abortReason ?? description });

function reported(record: ActiveJob, state: "finishing" | "complete"): Step {
  if (!isRunning(record)) return unchanged(record);
  if (state === "complete") return finish(record, {});
  if (record.job.state === "finishing") return unchanged(record);
  return enter(record, "finishing", [{ kind: "slot" }]);
}

/** The step of a job after a restart of the engine. */
function restarted(record: ActiveJob, now: number): Step {
  const { claim: _ended, ...kept } = record;
  // A suspended job keeps waiting for a person.
  if (kept.job.suspended) return { record: { ...kept, restored: true }, effects: [{ kind: "wake" }] };
  const actions = (kept.job.actions ?? []).map(({ active: _running, ...action }) => action as Action);
  const free: ActiveJob = { ...kept, job: { ...kept.job, ...(kept.job.actions ? { actions } : {}) } };
  switch (free.job.state) {
    case "starting":
      // The abort was waiting for the start actions.
      if (free.job.complete) return finish(free, {});
      return enter({ ...free, restored: true }, "ready", [{ kind: "wake" }]);
    case "active":
    case "finishing":
      if (isWorkflow(free)) return unchanged(free);
      return {
        record: change(free, { updated: now, remote: false }),
        effects: [{ kind: "meta", text: "The engine was restarted; waiting for the server to report" }],
      };
    default:
      return { record: { ...free, restored: true }, effects: [{ kind: "wake" }] };
  }
}
