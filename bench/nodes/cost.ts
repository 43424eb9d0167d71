/** What work costs where one, two or three nodes share a database. */
import { setTimeout as sleep } from "node:timers/promises";
import { median } from "../report.ts";
import { drive, request } from "../wire/drive.ts";
import { ask, cpuMs, KEY, type ServerProcess } from "../wire/processes.ts";
import { joinAll, type Satellite } from "../wire/satellites.ts";
import type { Database } from "./database.ts";

export interface Figures {
  /** Of all nodes, and of the database, in microseconds for one; and what one adds to the log of the database. */
  readonly minute: Cost;
  readonly job: Cost;
  /** One call of the list of all connected servers. */
  readonly list: Cost;
  /** From the question to the answer: quick readings of a server of the same node, of another one. Milliseconds. */
  readonly nearMs: number;
  readonly farMs: number | undefined;
  readonly connections: number;
  /** Transactions a second while nothing is asked. */
  readonly restCommits: number;
}
interface Cost {
  readonly nodes: number;
  readonly database: number;
  readonly logBytes: number;
}

const RUNS = 2;
const JOBS = 300;
const READS = 600;
const LOOKS = 200;
const REST_SEC = 20;
const MINUTE_MS = 60_000;
/** Into the minute, so that clocks that differ a little mean the same. */
const LEAD_MS = 1500;

export async function measure(nodes: readonly ServerProcess[], database: Database, count: number): Promise<Figures> {
  const share = Math.floor(count / nodes.length);
  const fleets = await Promise.all(nodes.map(({ port }, index) => joinAll(port, `n${index}x`, share)));
  const satellites = fleets.flat();
  const costOf = async (times: number, work: () => Promise<unknown>): Promise<Cost> => {
    const now = () => nodes.reduce((sum, { pid }) => sum + cpuMs(pid), 0);
    const [own, other, { logBytes }] = [now(), database.cpuMs(), await database.counts()];
    await work();
    return {
      nodes: ((now() - own) * 1000) / times,
      database: ((database.cpuMs() - other) * 1000) / times,
      logBytes: ((await database.counts()).logBytes - logBytes) / times,
    };
  };
  // Everybody knows everybody before anything is measured, and first minutes cost more.
  await minuteOf(satellites, nodes);
  const minutes: Cost[] = [];
  for (let run = 0; run < RUNS; run++) {
    await freshMinute();
    minutes.push(await costOf(satellites.length, () => minuteOf(satellites, nodes)));
  }
  const event = await eventFor(nodes[0] as ServerProcess, satellites);
  await runJobs(nodes, event, JOBS / 3);
  const job = await costOf(JOBS, () => runJobs(nodes, event, JOBS));
  await readLists(nodes, READS / 3);
  const list = await costOf(READS, () => readLists(nodes, READS));
  const [near, far] = [fleets[0]?.[0], fleets[1]?.[0]];
  const figures = {
    ...{ minute: medianOf(minutes), job, list },
    nearMs: await lookMs(nodes[0] as ServerProcess, near as Satellite),
    farMs: far && (await lookMs(nodes[0] as ServerProcess, far)),
    connections: await database.connections(),
    restCommits: await atRest(database),
  };
  for (const satellite of satellites) satellite.close();
  return figures;
}

const medianOf = (costs: readonly Cost[]): Cost => ({
  nodes: median(costs.map(({ nodes }) => nodes)),
  database: median(costs.map(({ database }) => database)),
  logBytes: median(costs.map(({ logBytes }) => logBytes)),
});

const freshMinute = (): Promise<void> => sleep(MINUTE_MS - (Date.now() % MINUTE_MS) + LEAD_MS);

/** A minute of each at once; over when the last of each node can be read. */
async function minuteOf(satellites: readonly Satellite[], nodes: readonly ServerProcess[]): Promise<void> {
  const stamp = Date.now();
  for (const satellite of satellites) satellite.sendMinute(stamp);
  const share = satellites.length / nodes.length;
  for (const [index, { port }] of nodes.entries()) {
    const id = satellites[Math.floor((index + 1) * share) - 1]?.id;
    const mark = async (): Promise<unknown> =>
      (await ask<{ data?: { data?: { mark?: unknown } } }>(port, "get_server", { id })).data?.data?.mark;
    while ((await mark()) !== stamp) await sleep(50);
  }
}

async function eventFor({ port }: ServerProcess, satellites: readonly Satellite[]): Promise<string> {
  const { event } = await ask<{ event: { id: string } }>(port, "create_event", {
    ...{ title: "Nothing", enabled: true, category: "general", plugin: "shellplug", algo: "round_robin" },
    targets: satellites.slice(0, 20).map(({ id }) => id),
    params: { script: "#!/bin/sh\ntrue\n", annotate: false, json: false },
    ...{ limits: [], actions: [], triggers: [{ type: "manual", enabled: true }] },
  });
  return event.id;
}

/** Ten callers, spread over the nodes. */
async function runJobs(nodes: readonly ServerProcess[], event: string, count: number): Promise<void> {
  const run = () => request("POST", "/api/app/run_event/v1", KEY, { id: event });
  await eachNode(nodes, (port, connections) =>
    drive({ port, connections, count: Math.ceil(count / nodes.length), request: run }),
  );
  const { port } = nodes[0] as ServerProcess;
  const active = async (): Promise<number> =>
    (await ask<{ list: { length: number } }>(port, "get_active_jobs", { event, limit: 1 })).list.length;
  while ((await active()) > 0) await sleep(20);
}

async function readLists(nodes: readonly ServerProcess[], count: number): Promise<void> {
  const read = () => request("GET", "/api/app/get_active_servers/v1", KEY);
  await eachNode(nodes, (port, connections) =>
    drive({ port, connections, count: Math.ceil(count / nodes.length), request: read }),
  );
}

const eachNode = (nodes: readonly ServerProcess[], work: (port: number, connections: number) => Promise<void>) =>
  Promise.all(nodes.map(({ port }, index) => work(port, Math.ceil((10 - index) / nodes.length))));

async function lookMs({ port }: ServerProcess, { id }: Satellite): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < LOOKS; turn++) {
    const begun = performance.now();
    await ask(port, "get_quickmon_data", { server: id });
    times.push(performance.now() - begun);
  }
  return median(times);
}

async function atRest(database: Database): Promise<number> {
  const { commits } = await database.counts();
  await sleep(REST_SEC * 1000);
  return ((await database.counts()).commits - commits) / REST_SEC;
}
