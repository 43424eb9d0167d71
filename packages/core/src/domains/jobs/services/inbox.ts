import type { Cradle } from "../../../kernel/container.ts";
import { pause } from "../../../kernel/loops.ts";
import type { AgentMessage } from "../../../ports/agent-transport.ts";
import { activeJobCollection, jobCollection } from "../collection.ts";
import type { ActiveJob } from "../model.ts";
import { lateUpdate } from "../rules/late-update.ts";
import { type AcceptedUpdate, acceptUpdate, applyPush, hasPush } from "../rules/merge-update.ts";
import type { JobEngine } from "./engine.ts";
import { createKeyedTurns } from "./keyed-turns.ts";

/** Takes what agents say about jobs; called by the server registry. Never throws. */
export interface JobInbox {
  /** `jobs`, `job_log` and `job_meta` messages of an authenticated server. */
  received(server: string, message: AgentMessage): void;
  /** `trusted`: the agent lives in this process, so a job that it does not know was lost with an earlier process. */
  joined(server: string, options?: { readonly trusted?: boolean }): void;
  gone(server: string): void;
  /** Aborts every active remote job on a server (part 22 §5.1). */
  abortOn(server: string, reason: string): Promise<void>;
  /** Active remote jobs on a server, for invocations and snapshots. */
  activeOn(server: string): readonly { id: string; event: string; tickets: readonly string[] }[];
}

const LOST = "The job was lost when the process that ran it ended.";
const NOT_YOURS = "Job is not assigned to this server.";
const NOT_ACTIVE = "Job is not active.";
/** Jobs in one message, and turns that wait for one job; more is dropped. */
const MAX_JOBS = 10_000;
const MAX_WAITING = 1000;
/** Agents that were told once to stop a job they should not run. */
const MAX_TOLD = 10_000;
const MAX_ATTEMPTS = 5;
const MAX_TEXT = 32 * 1024 * 1024;

type Members = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const RUNNING: ReadonlySet<string> = new Set(["active", "finishing"]);

export function createJobInbox(cradle: Cradle): JobInbox {
  const { clock, config, expressions, log } = cradle;
  const turns = createKeyedTurns();
  const waiting = new Map<string, number>();
  const told = new Set<string>();
  const engine = (): JobEngine => cradle.jobs;

  /** Messages about one job are taken in the order in which they came. */
  function inTurn(id: string, work: () => Promise<void>): void {
    const ahead = waiting.get(id) ?? 0;
    if (ahead >= MAX_WAITING) return;
    waiting.set(id, ahead + 1);
    const done = turns
      .run(id, work)
      .catch((error: unknown) => log.error({ job: id, error }, "A message about a job failed"));
    void done.finally(() => {
      const left = (waiting.get(id) ?? 1) - 1;
      if (left > 0) waiting.set(id, left);
      else waiting.delete(id);
    });
  }

  function refuse(server: string, id: string, reason: string): void {
    const key = `${server} ${id}`;
    if (told.has(key)) return;
    if (told.size >= MAX_TOLD) told.clear();
    told.add(key);
    cradle.servers.send(server, { cmd: "abort_job", data: { id, reason } });
  }

  /** The active job when it is the server's own. */
  async function ownJob(server: string, id: string): Promise<ActiveJob | undefined> {
    const { desk } = engine();
    const live = desk.live.get(id);
    const record = live ? desk.live.view(live.record) : await desk.read(id);
    if (!record || record.job.server !== server) return record && refuseForeign(server, id);
    if (!live && RUNNING.has(record.job.state)) await desk.adopt(record);
    return record;
  }

  function refuseForeign(server: string, id: string): undefined {
    refuse(server, id, NOT_YOURS);
    return undefined;
  }

  async function updated(server: string, id: string, update: unknown): Promise<void> {
    const record = await ownJob(server, id);
    if (record && RUNNING.has(record.job.state)) return apply(record, update);
    if (!isObject(update)) return;
    // A job that ends here this very moment is as good as ended.
    if (update["state"] === "complete") return record ? undefined : late(server, id, update);
    if (!record || record.job.state === "complete") refuse(server, id, NOT_ACTIVE);
  }

  async function apply(record: ActiveJob, update: unknown): Promise<void> {
    const { desk } = engine();
    const live = desk.live.get(record.id);
    if (!live) return;
    const expand = (text: string): string => expandContent(record, text);
    const accepted = acceptUpdate({ job: record.job, details: record.details }, update, expand);
    const now = clock.now();
    if (accepted.procs) desk.live.sample(live, accepted.procs, accepted.conns ?? [], now);
    const job = { ...accepted.job, updated: now, remote: true };
    desk.live.note(live, { job, details: accepted.details }, accepted.urgent || record.job.remote !== true);
    const isStep =
      (accepted.state === "finishing" || accepted.state === "complete") && accepted.state !== record.job.state;
    if (isStep || hasPush(accepted.push)) await store(record.id, accepted);
    else cradle.events.emit("job.updated", { id: record.id });
  }

  /** What may not wait for the next write: pushed entries and the steps of the job's life. */
  async function store(id: string, { state, push }: AcceptedUpdate): Promise<void> {
    const input = state === "finishing" || state === "complete" ? ({ kind: "reported", state } as const) : undefined;
    const change = (_unit: unknown, record: ActiveJob): ActiveJob => ({ ...record, job: applyPush(record.job, push) });
    for (let attempt = 1; ; attempt++)
      try {
        await engine().monitor.tell(id, input, change);
        return;
      } catch (error) {
        // Agents say it once: without another attempt the job would look dead.
        if (attempt === MAX_ATTEMPTS) throw error;
        log.warn({ job: id, attempt, error }, "What an agent said about a job could not be stored; it is tried again");
        await pause(clock, 1000 * 2 ** attempt, engine().stopping);
      }
  }

  function expandContent({ job }: ActiveJob, text: string): string {
    if (!text.includes("{{")) return text;
    return expressions.compileTemplate(text).expand({ job, config: { base_app_url: config.base_app_url } });
  }

  /** The final word of an agent about a job that ended without it (part 31 §5.1). */
  async function late(server: string, id: string, update: Members): Promise<void> {
    const { desk } = engine();
    await cradle.transact(async ({ tx, emit }) => {
      const jobs = tx.collection(jobCollection);
      const stored = await jobs.get(id);
      if (!stored || stored.server !== server) return;
      const changed = lateUpdate(stored, update, (text) => desk.row(text));
      if (!changed) return;
      await jobs.update(id, () => changed);
      emit("job.updated", { id });
    });
  }

  async function logged(server: string, id: string, text: string): Promise<void> {
    const { desk, logs } = engine();
    const record = await ownJob(server, id);
    const live = desk.live.get(id);
    if (!record || !live || !RUNNING.has(record.job.state)) return;
    const size = logs.append(id, text, record.job.log_file_size ?? 0);
    desk.live.note(live, { job: { log_file_size: size, updated: clock.now() } }, false);
  }

  async function noted(server: string, id: string, text: string): Promise<void> {
    const { desk } = engine();
    const record = await ownJob(server, id);
    const live = desk.live.get(id);
    if (!record || !live || !RUNNING.has(record.job.state)) return;
    desk.live.note(live, { job: { updated: clock.now() }, rows: [desk.row(text, server)] }, true);
  }

  async function lineFor(server: string, id: string, text: string): Promise<void> {
    const { desk } = engine();
    await desk.change(id, (_unit, { job, ...record }) =>
      job.server === server && RUNNING.has(job.state) && job.remote
        ? desk.meta({ ...record, job: { ...job, remote: false } }, [text])
        : undefined,
    );
  }

  const jobsOf = (server: string): Promise<readonly ActiveJob[]> =>
    cradle.snapshot(async (tx) => {
      const mine = { kind: "term", field: "server", words: [server] } as const;
      const running = { kind: "term", field: "state", words: [...RUNNING] } as const;
      const both = { kind: "and", nodes: [mine, running] } as const;
      return (await tx.collection(activeJobCollection).find(both, { limit: MAX_JOBS })).rows;
    });

  function forEachJob(server: string, work: (record: ActiveJob) => Promise<unknown>): void {
    const all = async (): Promise<void> => {
      for (const record of await jobsOf(server)) inTurn(record.id, async () => void (await work(record)));
    };
    all().catch((error: unknown) => log.error({ server, error }, "The jobs of a server could not be read"));
  }

  return {
    received(server, { cmd, data }) {
      if (!isObject(data)) return;
      if (cmd === "jobs") {
        for (const [id, update] of Object.entries(data).slice(0, MAX_JOBS))
          inTurn(id, () => updated(server, id, update));
        return;
      }
      const { id, text } = data;
      if (typeof id !== "string" || typeof text !== "string" || text.length > MAX_TEXT) return;
      if (cmd === "job_log") inTurn(id, () => logged(server, id, text));
      else if (cmd === "job_meta") inTurn(id, () => noted(server, id, text));
    },
    joined(server, { trusted = false } = {}) {
      const { desk, monitor } = engine();
      engine().wake();
      // An agent in this process starts empty: what this process did not send it cannot have.
      if (trusted)
        forEachJob(server, async ({ id }) =>
          desk.live.wasSentHere(id) ? undefined : monitor.tell(id, { kind: "lost", reason: LOST }),
        );
    },
    gone(server) {
      forEachJob(server, ({ id }) => lineFor(server, id, "Server connection was lost"));
    },
    async abortOn(server, reason) {
      for (const { id, job } of await jobsOf(server)) if (job.remote) await engine().monitor.abort(id, { reason });
    },
    activeOn: (server) =>
      engine()
        .desk.live.all()
        .map(({ record }) => engine().desk.live.view(record).job)
        .filter((job) => job.server === server && job.remote && RUNNING.has(job.state))
        .map(({ id, event, tickets = [] }) => ({ id, event, tickets })),
  };
}
