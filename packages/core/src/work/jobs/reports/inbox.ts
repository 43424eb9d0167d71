import { isObject } from "../../../lib/json/is-object.ts";
import type { AgentMessage } from "../../../ports/agents/agent-transport.ts";
import { allOf, hasWord } from "../../../search/ast.ts";
import { activeJobCollection } from "../collection.ts";
import type { JobEngine } from "../lifecycle/engine.ts";
import type { ActiveJob } from "../model.ts";
import { tellToEndAgain } from "./end-again.ts";
import { createJobTurns, type JobTurns } from "./job-turns.ts";
import { createJobReports, type JobReports, type Report, type ReportDeps } from "./reports.ts";
import { isOnServer, ON_SERVER } from "./rules/on-server.ts";

/** Processes agents' messages about jobs; called by the server registry. Never throws. */
export interface JobInbox {
  /** `jobs`, `job_log` and `job_meta` messages of an authenticated server. */
  received(server: string, message: AgentMessage): void;
  /** Processes the final update received by HTTP, after all earlier messages; rejects when it could not be stored. */
  finish(server: string, id: string, update: unknown): Promise<void>;
  /** `trusted`: the agent runs in this process, so a job that it does not know was lost with an earlier process. */
  joined(server: string, options?: { readonly trusted?: boolean }): void;
  gone(server: string): void;
  /** Aborts every active remote job on a server (docs/contract/alerts.md#firing). */
  abortOn(server: string, reason: string): Promise<void>;
  /** Resolves when all messages have been processed. */
  idle(): Promise<void>;
  /** Active remote jobs on a server, for invocations and snapshots. */
  activeOn(server: string): readonly { id: string; event: string; tickets: readonly string[] }[];
}

const LOST = "The job was lost when the process that ran it ended.";
/** Most jobs in one message; the others are dropped. */
const MAX_JOBS = 10_000;
const ID = /^[a-z0-9_]{1,64}$/;

interface Context {
  readonly deps: ReportDeps;
  readonly turns: JobTurns;
  readonly reports: JobReports;
  readonly engine: () => JobEngine;
}

export function createJobInbox(deps: ReportDeps): JobInbox {
  const engine = (): JobEngine => deps.jobs;
  const context: Context = { deps, engine, turns: createJobTurns(deps), reports: createJobReports(deps) };
  return {
    received: (server, message) => receive(context, server, message),
    finish: (server, id, update) => finish(context, { server, id, update }),
    joined(server, { trusted = false } = {}) {
      const { desk, monitor, places } = engine();
      places.joined(server, { isLocal: trusted });
      engine().wake();
      for (const { record } of desk.live.all()) if (record.job.server === server) tellToEndAgain(deps, record);
      // An agent in this process has only jobs that this process has sent.
      if (trusted)
        forEachJob(context, server, async ({ id, node }) => {
          // Another node may have an agent with the same id; jobs inside that node belong to it.
          if (!desk.live.wasSentHere(id) && node === undefined) await monitor.tell(id, { kind: "lost", reason: LOST });
        });
    },
    gone(server) {
      engine().places.left(server);
      forEachJob(context, server, ({ id }) => noteGone(context, server, id));
    },
    async abortOn(server, reason) {
      const running = (await jobsOn(deps, server)).filter(({ job }) => job.remote && job.state === "active");
      await Promise.all(running.map(({ id }) => abortOne(context, id, reason)));
    },
    idle: context.turns.idle,
    activeOn: (server) =>
      engine()
        .desk.live.all()
        .filter(({ record }) => record.job.server === server)
        .map(({ record }) => engine().desk.live.view(record))
        .filter((record) => record.job.server === server && record.job.remote && isOnServer(record))
        .map(({ job: { id, event, tickets } }) => ({ id, event, tickets: tickets ?? [] })),
  };
}

/** Aborts one job; a failure must not keep the others from being aborted. */
async function abortOne({ deps, engine }: Context, id: string, reason: string): Promise<void> {
  try {
    await engine().monitor.abort(id, { reason });
  } catch (error) {
    deps.log.error({ job: id, error }, "A job on a server could not be aborted");
  }
}

function receive({ turns, reports }: Context, server: string, { cmd, data }: AgentMessage): void {
  if (!isObject(data)) return;
  if (cmd === "jobs") {
    for (const [id, update] of Object.entries(data).slice(0, MAX_JOBS))
      if (ID.test(id)) turns.update(id, { server, update }, (latest) => reports.updated(server, id, latest));
    return;
  }
  const { id, text } = data;
  if (typeof id !== "string" || typeof text !== "string" || !ID.test(id)) return;
  if (cmd === "job_log") turns.text(id, text, () => reports.logged(server, id, text));
  else if (cmd === "job_meta") turns.text(id, text, () => reports.noted(server, id, text));
}

/** Processes a final update in one attempt, because the sender repeats it until it gets an answer. */
function finish({ turns, reports }: Context, { server, id, update }: Report): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  turns.work(id, () => reports.finished(server, id, update).then(resolve, reject));
  return promise;
}

async function noteGone({ engine }: Context, server: string, id: string): Promise<void> {
  const { desk, places } = engine();
  await desk.change(id, async (unit, record) => {
    const { job } = record;
    if (job.server !== server || !isOnServer(record) || !job.remote) return undefined;
    // The server has already connected to another node, so the lost connection was an old one.
    if ((await places.goneElsewhere(unit.tx, [server])).has(server)) return undefined;
    unit.emit("job.updated", { id });
    return desk.meta({ ...record, job: { ...job, remote: false } }, ["Server connection was lost"]);
  });
}

const jobsOn = ({ snapshot }: ReportDeps, server: string): Promise<readonly ActiveJob[]> =>
  snapshot(async (tx) => {
    const mine = hasWord("server", server);
    const running = hasWord("state", ON_SERVER);
    const both = allOf([mine, running]);
    return (await tx.collection(activeJobCollection).find(both, { limit: MAX_JOBS })).rows;
  });

function forEachJob({ deps, turns }: Context, server: string, work: (record: ActiveJob) => Promise<void>): void {
  const all = async (): Promise<void> => {
    for (const record of await jobsOn(deps, server)) turns.work(record.id, () => work(record));
  };
  all().catch((error: unknown) => deps.log.error({ server, error }, "The jobs of a server could not be read"));
}
