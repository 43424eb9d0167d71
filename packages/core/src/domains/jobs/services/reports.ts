import type { Cradle } from "../../../kernel/container.ts";
import { pause } from "../../../kernel/loops.ts";
import { isObject } from "../../../lib/is-object.ts";
import { jobCollection } from "../collection.ts";
import type { ActiveJob, Job } from "../model.ts";
import { lateUpdate } from "../rules/late-update.ts";
import { type AcceptedUpdate, acceptUpdate, applyPush, hasPush } from "../rules/merge-update.ts";
import { isOnServer } from "../rules/on-server.ts";
import type { JobEngine } from "./engine.ts";
import type { LiveJob } from "./live-jobs.ts";

/** What one server says about one of its jobs. */
export interface JobReports {
  updated(server: string, id: string, update: unknown): Promise<void>;
  logged(server: string, id: string, text: string): Promise<void>;
  noted(server: string, id: string, text: string): Promise<void>;
}

const NOT_YOURS = "Job is not assigned to this server.";
const NOT_ACTIVE = "Job is not active.";
/** Agents that were told once to stop a job they should not run. */
const MAX_TOLD = 10_000;
/** About ten minutes: a storage that is away for longer has lost more than this. */
const MAX_ATTEMPTS = 24;
const MAX_PAUSE_MS = 30_000;

interface Context {
  readonly cradle: Cradle;
  readonly engine: () => JobEngine;
  /** Tells a server to stop a job; once for each job. */
  readonly refuse: (server: string, id: string, reason: string) => void;
}

export function createJobReports(cradle: Cradle): JobReports {
  const told = new Set<string>();
  const context: Context = {
    cradle,
    engine: () => cradle.jobs,
    refuse(server, id, reason) {
      const key = `${server} ${id}`;
      if (told.has(key)) return;
      if (told.size >= MAX_TOLD) told.clear();
      told.add(key);
      cradle.servers.send(server, { cmd: "abort_job", data: { id, reason } });
    },
  };
  return {
    updated: (server, id, update) => takeUpdate(context, { server, id, update }),
    async logged(server, id, text) {
      const { desk, logs } = context.engine();
      const running = await runningJob(context, server, id);
      if (!running) return;
      const size = logs.append(id, text, running.record.job.log_file_size ?? 0);
      desk.live.note(running.live, { job: { log_file_size: size, updated: cradle.clock.now() } }, false);
    },
    async noted(server, id, text) {
      const { desk } = context.engine();
      const running = await runningJob(context, server, id);
      if (!running) return;
      desk.live.note(running.live, { job: { updated: cradle.clock.now() }, rows: [desk.row(text, server)] }, true);
    },
  };
}

/** The active job when it is the server's own. */
async function ownJob({ engine, refuse }: Context, server: string, id: string): Promise<ActiveJob | undefined> {
  const { desk } = engine();
  const live = desk.live.get(id);
  const record = live ? desk.live.view(live.record) : await desk.read(id);
  if (!record) return undefined;
  if (record.job.server !== server) {
    refuse(server, id, NOT_YOURS);
    return undefined;
  }
  if (!live && isOnServer(record)) await desk.adopt(record);
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

interface Report {
  readonly server: string;
  readonly id: string;
  readonly update: unknown;
}

async function takeUpdate(context: Context, { server, id, update }: Report): Promise<void> {
  const record = await ownJob(context, server, id);
  if (record && isOnServer(record)) return apply(context, record, update);
  if (!isObject(update)) return;
  // A job that ends here this very moment is as good as ended.
  if (update["state"] === "complete") return record ? undefined : takeLate(context, { server, id, update });
  if (!record || record.job.state === "complete") context.refuse(server, id, NOT_ACTIVE);
}

async function apply(context: Context, record: ActiveJob, update: unknown): Promise<void> {
  const { clock, events } = context.cradle;
  const { desk } = context.engine();
  const live = desk.live.get(record.id);
  if (!live) return;
  const expand = (text: string): string => expandContent(context.cradle, record.job, text);
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

/** What was left out is told once per name, however often it is sent. */
function warningsOf({ dropped }: LiveJob, accepted: AcceptedUpdate): string[] {
  const names = accepted.dropped.filter((name) => !dropped.has(name)).slice(0, MAX_WARNINGS - dropped.size);
  for (const name of names) dropped.add(name);
  return names.map((name) => `WARNING: Ignoring malformed or too large data from the job: ${name}`);
}

const isStep = ({ job }: ActiveJob, { state }: AcceptedUpdate): boolean =>
  (state === "finishing" || state === "complete") && state !== job.state;

/** What may not wait for the next write: pushed entries and the steps of the job's life. */
async function store(context: Context, id: string, { state, push }: AcceptedUpdate): Promise<void> {
  const { desk, monitor } = context.engine();
  const input = state === "finishing" || state === "complete" ? ({ kind: "reported", state } as const) : undefined;
  const change = (_unit: unknown, record: ActiveJob): ActiveJob => ({ ...record, job: applyPush(record.job, push) });
  await persist(context, id, async () => {
    // As long as the word of the agent waits to be stored, the job is not silent.
    const live = desk.live.get(id);
    if (live) desk.live.note(live, { job: { updated: context.cradle.clock.now() } }, true);
    await monitor.tell(id, input, change);
  });
}

/** Agents say it once: without another attempt the job would look dead. */
async function persist({ cradle, engine }: Context, id: string, work: () => Promise<unknown>): Promise<void> {
  const { clock, log } = cradle;
  for (let attempt = 1; ; attempt++)
    try {
      await work();
      return;
    } catch (error) {
      const { stopping } = engine();
      if (attempt === MAX_ATTEMPTS || stopping.aborted) throw error;
      log.warn({ job: id, attempt, error }, "What an agent said about a job could not be stored; it is tried again");
      await pause(clock, Math.min(MAX_PAUSE_MS, 1000 * 2 ** attempt), stopping);
    }
}

/** Macros in content of a job; a text that is no template stays as it is. */
function expandContent({ config, expressions, log }: Cradle, job: Job, text: string): string {
  if (!text.includes("{{")) return text;
  try {
    return expressions.compileTemplate(text).expand({ job, config: { base_app_url: config.base_app_url } });
  } catch (error) {
    log.warn({ job: job.id, error }, "Content of a job could not be expanded");
    return text;
  }
}

/** The final word of an agent about a job that ended without it (part 31 §5.1). */
async function takeLate(context: Context, { server, id, update }: Report): Promise<void> {
  const { cradle } = context;
  const { row } = context.engine().desk;
  await persist(context, id, () =>
    cradle.transact(async ({ tx, emit }) => {
      const jobs = tx.collection(jobCollection);
      const stored = await jobs.get(id);
      if (!stored || stored.server !== server || !isObject(update)) return;
      const expand = (text: string): string => expandContent(cradle, stored, text);
      const changed = lateUpdate(stored, update, { row: (text) => row(text), expand });
      if (!changed) return;
      await jobs.update(id, () => changed);
      emit("job.updated", { id });
    }),
  );
}
