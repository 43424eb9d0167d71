import type { Cradle } from "../../../kernel/container.ts";
import type { AgentMessage } from "../../../ports/agent-transport.ts";
import { activeJobCollection } from "../collection.ts";
import type { ActiveJob } from "../model.ts";
import type { JobEngine } from "./engine.ts";
import { createKeyedTurns } from "./keyed-turns.ts";
import { createJobReports, isObject, isOnServer, type JobReports } from "./reports.ts";

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
/** Jobs in one message, and turns that wait for one job; more is dropped. */
const MAX_JOBS = 10_000;
const MAX_WAITING = 1000;
const MAX_TEXT = 32 * 1024 * 1024;

/** Runs work about one job in the order in which it was asked for. */
type InTurn = (id: string, work: () => Promise<void>) => void;

interface Context {
  readonly cradle: Cradle;
  readonly inTurn: InTurn;
  readonly reports: JobReports;
  readonly engine: () => JobEngine;
}

export function createJobInbox(cradle: Cradle): JobInbox {
  const engine = (): JobEngine => cradle.jobs;
  const context: Context = { cradle, engine, inTurn: createInTurn(cradle), reports: createJobReports(cradle) };
  return {
    received: (server, message) => receive(context, server, message),
    joined(server, { trusted = false } = {}) {
      const { desk, monitor } = engine();
      engine().wake();
      // An agent in this process starts empty: what this process did not send it cannot have.
      if (trusted)
        forEachJob(context, server, async ({ id }) => {
          if (!desk.live.wasSentHere(id)) await monitor.tell(id, { kind: "lost", reason: LOST });
        });
    },
    gone: (server) => forEachJob(context, server, ({ id }) => noteGone(context, server, id)),
    async abortOn(server, reason) {
      for (const { id, job } of await jobsOn(cradle, server))
        if (job.remote) await engine().monitor.abort(id, { reason });
    },
    activeOn: (server) =>
      engine()
        .desk.live.all()
        .map(({ record }) => engine().desk.live.view(record))
        .filter((record) => record.job.server === server && record.job.remote && isOnServer(record))
        .map(({ job: { id, event, tickets = [] } }) => ({ id, event, tickets })),
  };
}

function createInTurn({ log }: Cradle): InTurn {
  const turns = createKeyedTurns();
  const waiting = new Map<string, number>();
  return (id, work) => {
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
  };
}

function receive({ inTurn, reports }: Context, server: string, { cmd, data }: AgentMessage): void {
  if (!isObject(data)) return;
  if (cmd === "jobs") {
    for (const [id, update] of Object.entries(data).slice(0, MAX_JOBS))
      inTurn(id, () => reports.updated(server, id, update));
    return;
  }
  const { id, text } = data;
  if (typeof id !== "string" || typeof text !== "string" || text.length > MAX_TEXT) return;
  if (cmd === "job_log") inTurn(id, () => reports.logged(server, id, text));
  else if (cmd === "job_meta") inTurn(id, () => reports.noted(server, id, text));
}

async function noteGone({ engine }: Context, server: string, id: string): Promise<void> {
  const { desk } = engine();
  await desk.change(id, (_unit, record) => {
    const { job } = record;
    if (job.server !== server || !isOnServer(record) || !job.remote) return undefined;
    return desk.meta({ ...record, job: { ...job, remote: false } }, ["Server connection was lost"]);
  });
}

const jobsOn = ({ snapshot }: Cradle, server: string): Promise<readonly ActiveJob[]> =>
  snapshot(async (tx) => {
    const mine = { kind: "term", field: "server", words: [server] } as const;
    const running = { kind: "term", field: "state", words: ["active", "finishing"] } as const;
    const both = { kind: "and", nodes: [mine, running] } as const;
    return (await tx.collection(activeJobCollection).find(both, { limit: MAX_JOBS })).rows;
  });

function forEachJob({ cradle, inTurn }: Context, server: string, work: (record: ActiveJob) => Promise<void>): void {
  const all = async (): Promise<void> => {
    for (const record of await jobsOn(cradle, server)) inTurn(record.id, () => work(record));
  };
  all().catch((error: unknown) => cradle.log.error({ server, error }, "The jobs of a server could not be read"));
}
