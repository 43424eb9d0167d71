import type { Cradle } from "../../../kernel/container.ts";
import { pause } from "../../../kernel/running/loops.ts";
import { isObject } from "../../../lib/json/is-object.ts";
import { parseSize } from "../../../lib/time/readable.ts";
import { findMask, hasSecrets, type JobMask } from "../access/job-secrets.ts";
import { jobCollection } from "../collection.ts";
import type { JobEngine } from "../lifecycle/engine.ts";
import type { LiveJob } from "../lifecycle/live-jobs.ts";
import { gapFile, gapText, mergeGap } from "../logs/log-gap.ts";
import type { ActiveJob, FinalJob } from "../model.ts";
import { expandContent } from "./content.ts";
import { tellToEndAgain } from "./end-again.ts";
import { outputRecords } from "./output-files.ts";
import { isUnreported, lateUpdate, withLateLog } from "./rules/late-update.ts";
import { maskUpdate } from "./rules/mask-update.ts";
import { type AcceptedUpdate, acceptUpdate, applyPush, hasPush } from "./rules/merge-update.ts";
import { isOnServer } from "./rules/on-server.ts";

/** Processes reports of one server about one of its jobs. */
export interface JobReports {
  updated(server: string, id: string, update: unknown): Promise<void>;
  /** Processes a final update in one attempt; throws if the job has not ended afterwards. */
  finished(server: string, id: string, update: unknown): Promise<void>;
  logged(server: string, id: string, text: string): Promise<void>;
  noted(server: string, id: string, text: string): Promise<void>;
}

const NOT_YOURS = "Job is not assigned to this server.";
const NOT_ACTIVE = "Job is not active.";
/** Most orders to stop a job that an agent should not run; they are remembered so that each is sent only once. */
const MAX_TOLD = 10_000;
/** About ten minutes: if the storage is unavailable for longer, more than this is lost. */
const MAX_ATTEMPTS = 24;
const MAX_PAUSE_MS = 30_000;
/** Most output files of one job. */
const MAX_FILES = 1000;

export type ReportDeps = Pick<
  Cradle,
  | ("clock" | "config" | "eventRecords" | "events" | "expressions" | "files" | "jobs" | "live" | "log" | "servers")
  | ("snapshot" | "transact" | "vault")
>;

interface Context {
  readonly deps: ReportDeps;
  readonly engine: () => JobEngine;
  /** Attempts for a write that must not be lost. */
  readonly attempts: number;
  /** Tells a server to stop a job, once per job. */
  readonly refuse: (server: string, id: string, reason: string) => void;
}

export function createJobReports(deps: ReportDeps): JobReports {
  const told = new Set<string>();
  const context: Context = {
    deps,
    engine: () => deps.jobs,
    attempts: MAX_ATTEMPTS,
    refuse(server, id, reason) {
      const key = `${server} ${id}`;
      if (told.has(key)) return;
      if (told.size >= MAX_TOLD) told.clear();
      told.add(key);
      deps.servers.send(server, { cmd: "abort_job", data: { id, reason } });
    },
  };
  return {
    updated: (server, id, update) => takeUpdate(context, { server, id, update }),
    async finished(server, id, update) {
      await takeUpdate({ ...context, attempts: 1 }, { server, id, update });
      const left = await deps.jobs.desk.read(id);
      if (left && isOnServer(left)) throw new Error("The final update of a job was not applied");
    },
    async logged(server, id, text) {
      const running = await runningJob(context, server, id);
      if (!running) return;
      const { record, live } = running;
      const mask = live.mask ?? (await lookUpMask(context, live));
      appendLog(context, { record, live, text: mask === "none" ? text : mask.log.write(text) });
    },
    async noted(server, id, text) {
      const { desk } = context.engine();
      const running = await runningJob(context, server, id);
      if (!running) return;
      const mask = running.live.mask ?? (await lookUpMask(context, running.live));
      const row = desk.row(mask === "none" ? text : mask.text(text), server);
      desk.live.note(running.live, { job: { updated: deps.clock.now() }, rows: [row] }, true);
      deps.live.nudge(id);
    },
  };
}

/** The active job if it belongs to the server. */
async function ownJob({ deps, engine, refuse }: Context, server: string, id: string): Promise<ActiveJob | undefined> {
  const { desk } = engine();
  const live = desk.live.get(id);
  const record = live ? desk.live.view(live.record) : await desk.read(id);
  if (!record) return undefined;
  if (record.job.server !== server) {
    refuse(server, id, NOT_YOURS);
    return undefined;
  }
  if (live || !isOnServer(record)) return record;
  await desk.adopt(record);
  tellToEndAgain(deps, record);
  return record;
}

interface Running {
  readonly record: ActiveJob;
  readonly live: LiveJob;
}

async function runningJob(context: Context, server: string, id: string): Promise<Running | undefined> {
  const record = await ownJob(context, server, id);
  const live = context.engine().desk.live.get(id);
  return record && live && isOnServer(record) ? { record, live } : undefined;
}

/**
 * The mask of secret values in a job's output. After a restart, the secrets are read again before more output is accepted. If a
 * secret was changed since the launch, its old value is no longer known then.
 */
async function lookUpMask(context: Context, live: LiveJob): Promise<JobMask> {
  const { deps } = context;
  const { id, record } = live;
  live.mask = hasSecrets(deps, record.job) ? await persist(context, id, () => findMask(deps, record.job)) : "none";
  return live.mask;
}

interface Output extends Running {
  readonly text: string;
  /** Bytes that came before, if more are known than the record says. */
  readonly known?: number;
}

function appendLog({ deps, engine }: Context, { record, live, text, known }: Output): void {
  const { desk, logs } = engine();
  const size = logs.append(record.id, text, known ?? record.job.log_file_size ?? 0);
  desk.live.note(live, { job: { log_file_size: size, updated: deps.clock.now() } }, false);
  deps.live.nudge(record.id);
}

/** An update of a job, as a server sent it. */
export interface Report {
  readonly server: string;
  readonly id: string;
  readonly update: unknown;
}

async function takeUpdate(context: Context, { server, id, update }: Report): Promise<void> {
  const record = await ownJob(context, server, id);
  if (record && isOnServer(record)) return takeRunning(context, record, await withOutputFiles(context, id, update));
  if (!isObject(update)) return;
  // A job that is ending at this moment counts as ended.
  if (update["state"] === "complete") return record ? undefined : takeLate(context, { server, id, update });
  if (!record || record.job.state === "complete") context.refuse(server, id, NOT_ACTIVE);
}

/** Removes files that do not belong to the job from a final update. */
async function withOutputFiles(context: Context, id: string, update: unknown): Promise<unknown> {
  if (!isObject(update) || update["state"] !== "complete" || !Array.isArray(update["files"])) return update;
  const sent = update["files"].slice(0, MAX_FILES);
  const files = await persist(context, id, () => outputRecords(context.deps.files, id, sent));
  const live = context.engine().desk.live.get(id);
  const lost = sent.length - files.length;
  // The update may be repeated, but this warning is given once.
  if (live && lost > 0 && !live.dropped.has("files")) {
    live.dropped.add("files");
    const row = context.engine().desk.row(`WARNING: Ignoring ${lost} output files that are not the job's own`);
    context.engine().desk.live.note(live, { rows: [row] }, true);
  }
  return { ...update, files };
}

async function takeRunning(context: Context, record: ActiveJob, update: unknown): Promise<void> {
  const live = context.engine().desk.live.get(record.id);
  if (!live) return;
  const mask = live.mask ?? (await lookUpMask(context, live));
  if (isObject(update) && update["state"] === "complete") {
    const text = mask === "none" ? "" : mask.log.end();
    if (text !== "") appendLog(context, { record, live, text });
    await takeGap(context, { record, live, update });
  }
  await apply(context, record, mask === "none" ? update : maskUpdate(update, mask.text));
}

/**
 * Appends the output that the satellite stored in its own file while it had no connection to the log of its job
 * (docs/contract/jobs.md#the-final-update).
 */
async function takeGap(context: Context, { record, live, update }: Running & { update: unknown }): Promise<void> {
  const { id } = record;
  const path = gapFile(id, update);
  if (path === undefined) return;
  const { deps, engine } = context;
  const append = (text: string, known: number): void => appendLog(context, { record, live, text, known });
  await persist(context, id, () => mergeGap(deps, engine(), { id, path, mask: live.mask ?? "none", append }));
}

async function apply(context: Context, record: ActiveJob, update: unknown): Promise<void> {
  const { clock, events } = context.deps;
  const { desk } = context.engine();
  const live = desk.live.get(record.id);
  if (!live) return;
  const expand = (text: string): string => expandContent(context.deps, record.job, text);
  const accepted = acceptUpdate({ job: record.job, details: record.details }, update, expand);
  const now = clock.now();
  if (accepted.procs) desk.live.sample(live, accepted.procs, accepted.conns ?? [], now);
  const job = { ...accepted.job, updated: now, remote: true };
  const rows = warningsOf(live, accepted).map((text) => desk.row(text));
  desk.live.note(live, { job, details: accepted.details, rows }, accepted.urgent || record.job.remote !== true);
  if (isStep(record, accepted) || hasPush(accepted.push)) await store(context, record.id, accepted);
  else events.emit("job.updated", { id: record.id });
}

const MAX_WARNINGS = 20;

/** One warning per name of a dropped member, however often it is sent. */
function warningsOf({ dropped }: LiveJob, accepted: AcceptedUpdate): string[] {
  const names = accepted.dropped
    .filter((name) => !dropped.has(name))
    .slice(0, Math.max(0, MAX_WARNINGS - dropped.size));
  for (const name of names) dropped.add(name);
  return names.map((name) => `WARNING: Ignoring malformed or too large data from the job: ${name}`);
}

const isStep = ({ job }: ActiveJob, { state }: AcceptedUpdate): boolean =>
  (state === "finishing" || state === "complete") && state !== job.state;

/** Stores immediately what must not wait for the next write: pushed entries and changes of state. */
async function store(context: Context, id: string, { state, push, ended }: AcceptedUpdate): Promise<void> {
  const { desk, monitor } = context.engine();
  const input = state === "finishing" || state === "complete" ? ({ kind: "reported", state } as const) : undefined;
  const change = (_unit: unknown, record: ActiveJob): ActiveJob => ({
    ...record,
    job: applyPush(record.job, push),
    ...(ended === undefined ? {} : { reportedEnd: ended }),
  });
  await persist(context, id, async () => {
    // While the agent's report waits to be stored, the job must not count as silent.
    const live = desk.live.get(id);
    if (live) desk.live.note(live, { job: { updated: context.deps.clock.now() } }, true);
    await monitor.tell(id, input, change);
  });
}

/** Retries a write. Agents report only once, and without the report the job would look dead. */
async function persist<R>({ deps, engine, attempts }: Context, id: string, work: () => Promise<R>): Promise<R> {
  const { clock, log } = deps;
  for (let attempt = 1; ; attempt++)
    try {
      return await work();
    } catch (error) {
      const { stopping } = engine();
      if (attempt === attempts || stopping.aborted) throw error;
      log.warn({ job: id, attempt, error }, "What an agent said about a job could not be stored; it is tried again");
      await pause(clock, Math.min(MAX_PAUSE_MS, 1000 * 2 ** attempt), stopping);
    }
}

/** The part of the satellite's own log that still fits into the record of an ended job. */
async function lateGap(context: Context, job: FinalJob, { update, mask }: LateFiles): Promise<string> {
  const { deps } = context;
  const path = gapFile(job.id, update);
  const limit = parseSize(deps.config.max_inline_job_log_size) - (job.log_file_size ?? 0);
  // A log in the blob store is not rewritten; the file stays separate.
  if (path === undefined || limit <= 0 || typeof job.output !== "string") return "";
  return persist(context, job.id, () => gapText(deps, { path, mask, limit }));
}

interface LateFiles {
  readonly update: unknown;
  readonly mask: JobMask;
}

/** Processes the final report of an agent about a job that ended without it. */
async function takeLate(context: Context, { server, id, update }: Report): Promise<void> {
  const { deps } = context;
  const { row, final: finalRecord } = context.engine().desk;
  const ended = await persist(context, id, () => finalRecord(id));
  // Secrets are not opened for a job that does not belong to the server.
  if (!ended || ended.server !== server) return;
  const mask = hasSecrets(deps, ended) ? await persist(context, id, () => findMask(deps, ended)) : "none";
  const final = await withOutputFiles(context, id, update);
  const shown = mask === "none" ? final : maskUpdate(final, mask.text);
  const gap = isUnreported(ended) ? await lateGap(context, ended, { update: final, mask }) : "";
  await persist(context, id, () =>
    deps.transact(async ({ tx, emit }) => {
      const jobs = tx.collection(jobCollection);
      const stored = await jobs.get(id);
      if (!stored || stored.server !== server || !isObject(shown)) return;
      const expand = (text: string): string => expandContent(deps, stored, text);
      const changed = lateUpdate(stored, shown, { row: (text) => row(text), expand });
      if (!changed) return;
      await jobs.update(id, () => withLateLog(changed, gap));
      emit("job.updated", { id });
    }),
  );
}
