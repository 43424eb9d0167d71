import { mayAccess } from "../../../directory/access/require-access.ts";
import type { Actor } from "../../../kernel/calls/context.ts";
import type { KeyedCradle } from "../../../kernel/container.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import { allOf, hasWord } from "../../../search/ast.ts";
import { activeJobCollection } from "../collection.ts";
import type { Job } from "../model.ts";
import { listActive } from "../records.ts";
import { ON_SERVER } from "../reports/rules/on-server.ts";
import { readingOf } from "./rules/restriction.ts";
import { downloadToken } from "./rules/tokens.ts";

/** Ids of a job and of its event. */
interface JobOfEvent {
  readonly id: string;
  readonly event: string;
}

/** Facts about jobs that are not final, for other domains. */
export interface ActiveJobs {
  /** Active jobs as callers see them, without queued jobs; with an actor, only those within its reach. */
  startedOf(tx: ReadTx, actor?: Actor): Promise<Job[]>;
  /** A job that runs on the server and whose event silences the server's alerts meanwhile. */
  silencer(tx: ReadTx, server: string): Promise<{ readonly id: string; readonly event: string } | undefined>;
  /** Ids of the jobs that run on servers, read from the storage. */
  runningOn(tx: ReadTx, servers: readonly string[]): Promise<string[]>;
  /** Number of an event's jobs, including queued jobs. */
  countOf(tx: ReadTx, event: string): Promise<number>;
  /** The workflow jobs to which these jobs belong, without duplicates. For nested workflows, only the innermost one. */
  workflowsOf(tx: ReadTx, ids: readonly string[]): Promise<readonly JobOfEvent[]>;
  /** Those of these jobs that are not final. */
  among(tx: ReadTx, ids: readonly string[]): Promise<readonly JobOfEvent[]>;
  /** Token that opens the log of a job without credentials, as made by `downloadToken`. */
  logToken(id: string): string;
}

/** Most jobs on one server that are read. */
const MAX_JOBS = 1000;

export function createActiveJobs(deps: Pick<KeyedCradle, "jobs" | "secretKey">): ActiveJobs {
  const doesAnyRun = createAnyRun();
  return {
    async startedOf(tx, actor) {
      const records = await listActive(tx);
      return records
        .map((record) => deps.jobs.desk.live.view(record).job)
        .filter((job) => job.state !== "queued" && (!actor || mayAccess(actor, readingOf(job))));
    },
    async silencer(tx, server) {
      if (!(await doesAnyRun(tx))) return undefined;
      const { rows } = await tx.collection(activeJobCollection).find(runningOn([server]), { limit: MAX_JOBS });
      const found = rows.find(({ job }) => job.silence_alerts);
      return found && { id: found.id, event: found.job.event };
    },
    async runningOn(tx, servers) {
      const page = { limit: MAX_JOBS * servers.length };
      const { rows } = await tx.collection(activeJobCollection).find(runningOn(servers), page);
      return rows.map(({ id }) => id);
    },
    async countOf(tx, event) {
      const ofEvent = hasWord("event", event);
      const { total } = await tx.collection(activeJobCollection).find(ofEvent, { limit: 0 });
      return total;
    },
    workflowsOf,
    async among(tx, ids) {
      const records = await tx.collection(activeJobCollection).getMany(ids);
      return records.flatMap((record) => (record ? [{ id: record.id, event: record.job.event }] : []));
    },
    logToken: (id) => downloadToken(id, deps.secretKey),
  };
}

const workflowsOf: ActiveJobs["workflowsOf"] = async (tx, ids) => {
  const known = new Set(ids);
  return (await tx.collection(activeJobCollection).getMany(ids)).flatMap((record) => {
    const { job: id, event } = record?.job.workflow ?? {};
    if (typeof id !== "string" || known.has(id)) return [];
    known.add(id);
    return [{ id, event: String(event) }];
  });
};

/** True when any job runs on a server. Read once per transaction, because a problem may ask for thousands of servers. */
function createAnyRun(): (tx: ReadTx) => Promise<boolean> {
  const known = new WeakMap<ReadTx, Promise<boolean>>();
  const ask = async (tx: ReadTx): Promise<boolean> => {
    const { rows } = await tx.collection(activeJobCollection).find(RUNNING, { limit: 1 });
    return rows.length > 0;
  };
  return (tx) => {
    const answer = known.get(tx) ?? ask(tx);
    known.set(tx, answer);
    return answer;
  };
}

const RUNNING = hasWord("state", ON_SERVER);

const runningOn = (servers: readonly string[]) => allOf([hasWord("server", servers), RUNNING]);
