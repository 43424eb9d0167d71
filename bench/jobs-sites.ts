/** The job systems side by side: each runs a function that does nothing, and reports when it began and ended. */
import { localAgent } from "@signalbox/adapters/local-agent";
import { createSignalbox, defineEvent, type Logger, silentLogger } from "@signalbox/core";
import type { Storage } from "@signalbox/core/storage";
import { scriptedAgent } from "@signalbox/core/testing";
import { pgStorage } from "@signalbox/storage-pg";
import { sqliteStorage } from "@signalbox/storage-sqlite";
import { Logger as GraphileLogger, run } from "graphile-worker";
import { PgBoss } from "pg-boss";

/** One job under way. */
export interface StartedJob {
  /** When its handler began, by `performance.now()`. */
  readonly started: Promise<number>;
  /** Resolves when its end is stored. */
  readonly ended: Promise<void>;
}

export interface JobSite {
  /** Resolves when the job is stored durably. */
  start(): Promise<StartedJob>;
}

const SECRET = "a key for benchmarks only";
const CONCURRENCY = 24;
const BATCH = 500;
const SATELLITES = 10;

/** Tracks jobs by the number that the request carries. */
function createNumbers() {
  interface Entry extends StartedJob {
    readonly begin: (at: number) => void;
    readonly end: () => void;
  }
  const entries = new Map<number, Entry>();
  let last = 0;
  return {
    add(): { readonly number: number; readonly job: StartedJob } {
      const { promise: started, resolve: begin } = Promise.withResolvers<number>();
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      last += 1;
      const job = { started, ended };
      entries.set(last, { ...job, begin, end });
      return { number: last, job };
    },
    began: (number: number): void => entries.get(number)?.begin(performance.now()),
    over(number: number): void {
      entries.get(number)?.end();
      entries.delete(number);
    },
  };
}

const failed: Logger["error"] = ({ error, ...fields }, message) => console.error(message, fields, error);
const log: Logger = { ...silentLogger, error: failed, warn: failed };
const CONFIG = { max_jobs_per_min: 0 };

/** Alerts of a busy machine would keep jobs away from it. */
async function withoutAlerts({ api }: ReturnType<typeof createSignalbox>): Promise<void> {
  for (const { id } of (await api.getAlerts({})).rows) await api.deleteAlert({ id });
}

type Numbers = ReturnType<typeof createNumbers>;

/** Matches ids and ends of jobs; either may be known first. */
function createEnds({ over }: Numbers) {
  const numbers = new Map<string, number>();
  const early = new Set<string>();
  return {
    named(id: string, number: number): void {
      if (early.delete(id)) over(number);
      else numbers.set(id, number);
    },
    ended(id: string): void {
      const number = numbers.get(id);
      if (number === undefined) early.add(id);
      else {
        numbers.delete(id);
        over(number);
      }
    },
  };
}

/** Events whose work is a function of the host. */
async function openFunctions(storage: Storage): Promise<JobSite> {
  const numbers = createNumbers();
  const ends = createEnds(numbers);
  const noop = defineEvent<{ number: number }>({
    id: "noop",
    title: "Nothing",
    run: ({ params }) => numbers.began(params.number),
  });
  const agents = localAgent({ minuteEverySec: 3600, quickEverySec: 0 });
  const engine = createSignalbox({ storage, secretKey: SECRET, agents, events: [noop], log, config: CONFIG });
  engine.events.on("job.completed", ({ id }) => ends.ended(id));
  await engine.start();
  await withoutAlerts(engine);
  return {
    async start() {
      const { number, job } = numbers.add();
      const { id } = await engine.api.runEvent({ id: "noop", params: { number } });
      ends.named(id, number);
      return job;
    },
  };
}

/** Satellites that answer each launch at once with the job's end. */
async function openSatellites(storage: Storage): Promise<JobSite> {
  const numbers = createNumbers();
  const ends = createEnds(numbers);
  const agents = scriptedAgent();
  const engine = createSignalbox({ storage, secretKey: SECRET, agents, log, config: CONFIG });
  engine.events.on("job.completed", ({ id }) => ends.ended(id));
  await engine.start();
  await withoutAlerts(engine);
  for (let index = 0; index < SATELLITES; index++) {
    const server = await agents.connect({
      hostname: `bench${index}`,
      id: `bench${index}`,
      initial: { groups: ["main"] },
      onMessage({ cmd, data }) {
        if (cmd !== "launch_job") return;
        const { job } = data as { job: { id: string; params: { number: number } } };
        numbers.began(job.params.number);
        server.send("jobs", { [job.id]: { ...job, state: "complete", complete: true, code: 0, progress: 1 } });
      },
    });
  }
  const { event } = await engine.api.createEvent({
    title: "Nothing",
    enabled: true,
    category: "general",
    plugin: "shellplug",
    targets: ["main"],
    algo: "random",
    params: { script: "true" },
    triggers: [{ type: "manual", enabled: true }],
  });
  return {
    async start() {
      const { number, job } = numbers.add();
      const { id } = await engine.api.runEvent({ id: event.id, params: { number } });
      ends.named(id, number);
      return job;
    },
  };
}

/** Graphile Worker in its fastest form: jobs are fetched and completed in batches. A completed job is deleted. */
async function openGraphile(connectionString: string): Promise<JobSite> {
  const numbers = createNumbers();
  const numberOf = (payload: unknown): number => (payload as { number: number }).number;
  const runner = await run({
    preset: {
      worker: {
        connectionString,
        concurrentJobs: CONCURRENCY,
        maxPoolSize: 10,
        pollInterval: 1000,
        localQueue: { size: BATCH },
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
        logger: new GraphileLogger(() => () => undefined),
      },
    },
    taskList: { noop: async (payload) => numbers.began(numberOf(payload)) },
  });
  runner.events.on("job:complete", ({ job }) => numbers.over(numberOf(job.payload)));
  return {
    async start() {
      const { number, job } = numbers.add();
      await runner.addJob("noop", { number });
      return job;
    },
  };
}

/** Woken by notifications; pg-boss does not report the end of a batch, so a job counts as ended when its handler ends. */
async function openBoss(connectionString: string): Promise<JobSite> {
  const numbers = createNumbers();
  const boss = new PgBoss({ connectionString, max: 10, useListenNotify: true, supervise: false, schedule: false });
  boss.on("error", (error) => console.error(error));
  await boss.start();
  await boss.createQueue("noop", { notify: true });
  const options = { batchSize: BATCH, localConcurrency: 4, pollingIntervalSeconds: 0.5, burstWhenBatchFull: true };
  await boss.work<{ number: number }>("noop", options, async (jobs) => {
    for (const { data } of jobs) {
      numbers.began(data.number);
      numbers.over(data.number);
    }
  });
  return {
    async start() {
      const { number, job } = numbers.add();
      await boss.send("noop", { number });
      return job;
    },
  };
}

const postgres = (connectionString: string): Storage => pgStorage({ connectionString, log });

/** Contenders by name; `place` is a file for SQLite and a URL for PostgreSQL. */
const sites: Readonly<Record<string, (place: string) => Promise<JobSite>>> = {
  "functions-sqlite": (filename) => openFunctions(sqliteStorage({ filename, log })),
  "functions-postgres": (url) => openFunctions(postgres(url)),
  "satellites-sqlite": (filename) => openSatellites(sqliteStorage({ filename, log })),
  "satellites-postgres": (url) => openSatellites(postgres(url)),
  graphile: openGraphile,
  boss: openBoss,
};

export async function openSite(kind: string, place: string): Promise<JobSite> {
  const open = sites[kind];
  if (!open) throw new Error(`There is no contender "${kind}"`);
  return open(place);
}
