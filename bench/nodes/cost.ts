/** Cost of work where one, two or three nodes share a database. */
import { setTimeout as sleep } from "node:timers/promises";
import { median } from "../report.ts";
import { drive, request, type Turn } from "../wire/drive.ts";
import { ask, cpuMs, KEY, type ServerProcess } from "../wire/processes.ts";
import { joinAll, type Satellite, WELL } from "../wire/satellites.ts";
import type { Database } from "./database.ts";

export interface Figures {
  /**
   * For one minute (and below, one job): microseconds of all nodes and of the database, and bytes added to the database's log.
   */
  readonly minute: Cost;
  readonly job: Cost;
  /** Per server in a list of all connected servers. */
  readonly listed: Cost;
  /** Cost of an idle second, which the rows above do not include. */
  readonly rest: Cost;
  readonly connections: number;
}
interface Cost {
  readonly nodes: number;
  readonly database: number;
  readonly logBytes: number;
}

/** Nodes and the database they share. */
export interface Setting {
  readonly nodes: readonly ServerProcess[];
  readonly database: Database;
}

const ROUNDS = 5;
/** Callers per node. */
const CALLERS = 10;
const JOBS = 60;
const READS = 40;
/** Satellites per node that take the jobs in turn. */
const TARGETS = 20;
const REST_SEC = 20;
const MINUTE_MS = 60_000;
/** Offset into the minute, so that slightly different clocks agree on it and the work at the full minute is over. */
const LEAD_MS = 5000;

/**
 * Measures with `share` satellites per node. Each node also has its own callers, so that it does as much beside others as alone.
 * All settings take turns within each minute, so that they run under the same conditions.
 */
export async function measure(settings: readonly Setting[], share: number): Promise<Figures[]> {
  const trials: Trial[] = [];
  for (const setting of settings) trials.push(await prepare(setting, share));
  // Warm-up: all nodes must know each other before anything is measured, and the first run of code costs more.
  for (const trial of trials) await round(trial);
  await freshMinute();
  const rests = await Promise.all(trials.map(({ meter }) => meter.rest()));
  const rounds: Round[][] = trials.map(() => []);
  for (let turn = 0; turn < ROUNDS; turn++) {
    await freshMinute();
    for (const [index, trial] of trials.entries()) rounds[index]?.push(await round(trial));
  }
  return Promise.all(
    trials.map(async ({ satellites, setting: { database } }, index) => {
      const of = (name: keyof Round): Cost => medianOf((rounds[index] ?? []).map((each) => each[name]));
      const connections = await database.connections();
      for (const satellite of satellites) satellite.close();
      return { minute: of("minute"), job: of("job"), listed: of("listed"), rest: rests[index] as Cost, connections };
    }),
  );
}

interface Trial {
  readonly setting: Setting;
  readonly satellites: readonly Satellite[];
  readonly event: string;
  readonly meter: ReturnType<typeof createMeter>;
}
type Round = Pick<Figures, "job" | "listed" | "minute">;

async function prepare(setting: Setting, share: number): Promise<Trial> {
  const { nodes, database } = setting;
  const fleets = await Promise.all(nodes.map(({ port }, index) => joinAll(port, `n${index}x`, share, WELL)));
  const event = await eventFor(nodes[0] as ServerProcess, fleets);
  return { setting, satellites: fleets.flat(), event, meter: createMeter(nodes, database) };
}

async function round({ setting: { nodes }, satellites, event, meter: { costOf } }: Trial): Promise<Round> {
  const { length } = satellites;
  return {
    minute: await costOf(length, () => minuteOf(satellites, nodes)),
    job: await costOf(JOBS * nodes.length, () => runJobs(nodes, event)),
    listed: await costOf(READS * nodes.length * length, () => readLists(nodes)),
  };
}

/** Measures the cost of work beyond that of an idle period of the same length. */
function createMeter(nodes: readonly ServerProcess[], database: Database) {
  const read = async () => {
    const logBytes = await database.logBytes();
    const inNodes = nodes.reduce((sum, { pid }) => sum + cpuMs(pid), 0);
    return { ms: performance.now(), nodes: inNodes * 1000, database: database.cpuMs() * 1000, logBytes };
  };
  const spent = async (work: () => Promise<unknown>): Promise<Cost & { readonly ms: number }> => {
    const before = await read();
    await work();
    const after = await read();
    const part = (name: keyof typeof after): number => after[name] - before[name];
    return { ms: part("ms"), nodes: part("nodes"), database: part("database"), logBytes: part("logBytes") };
  };
  const idle = { nodes: 0, database: 0, logBytes: 0 };
  return {
    async rest(): Promise<Cost> {
      const { ms, ...cost } = await spent(() => sleep(REST_SEC * 1000));
      for (const part of PARTS) idle[part] = cost[part] / (ms / 1000);
      return { ...idle };
    },
    async costOf(times: number, work: () => Promise<unknown>): Promise<Cost> {
      const cost = await spent(work);
      const each = (part: (typeof PARTS)[number]): number => (cost[part] - idle[part] * (cost.ms / 1000)) / times;
      return { nodes: each("nodes"), database: each("database"), logBytes: each("logBytes") };
    },
  };
}
const PARTS = ["nodes", "database", "logBytes"] as const;

const medianOf = (costs: readonly Cost[]): Cost => ({
  nodes: median(costs.map(({ nodes }) => nodes)),
  database: median(costs.map(({ database }) => database)),
  logBytes: median(costs.map(({ logBytes }) => logBytes)),
});

const freshMinute = (): Promise<void> => sleep(MINUTE_MS - (Date.now() % MINUTE_MS) + LEAD_MS);

/** Sends one minute of each satellite at once; ends when the last one of each node can be read. */
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

async function eventFor({ port }: ServerProcess, fleets: readonly (readonly Satellite[])[]): Promise<string> {
  const { event } = await ask<{ event: { id: string } }>(port, "create_event", {
    ...{ title: "Nothing", enabled: true, category: "general", plugin: "shellplug", algo: "round_robin" },
    targets: fleets.flatMap((fleet) => fleet.slice(0, TARGETS).map(({ id }) => id)),
    params: { script: "#!/bin/sh\ntrue\n", annotate: false, json: false },
    ...{ limits: [], actions: [], triggers: [{ type: "manual", enabled: true }] },
  });
  return event.id;
}

async function runJobs(nodes: readonly ServerProcess[], event: string): Promise<void> {
  const run = () => request("POST", "/api/app/run_event/v1", KEY, { id: event });
  await eachNode(nodes, { count: JOBS, request: run });
  const { port } = nodes[0] as ServerProcess;
  const active = async (): Promise<number> =>
    (await ask<{ list: { length: number } }>(port, "get_active_jobs", { event, limit: 1 })).list.length;
  while ((await active()) > 0) await sleep(50);
}

async function readLists(nodes: readonly ServerProcess[]): Promise<void> {
  await eachNode(nodes, { count: READS, request: () => request("GET", "/api/app/get_active_servers/v1", KEY) });
}

const eachNode = (nodes: readonly ServerProcess[], turn: Pick<Turn, "count" | "request">) =>
  Promise.all(nodes.map(({ port }) => drive({ ...turn, port, connections: CALLERS })));
