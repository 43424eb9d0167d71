import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pgStorage } from "@signalbox/storage-pg";
import { openRemains, readRuns } from "../evidence.ts";
import { fastClock } from "../fast-clock.ts";
import { type Callers, startCallers } from "./callers.ts";
import { judge, type ScheduledJob, type Verdict } from "./judge.ts";
import { type Cluster, createCluster, type Node } from "./nodes.ts";
import { startWorker } from "./satellite.ts";
import { SCHEDULES, satelliteEvents } from "./schedules.ts";

export interface StoryOptions {
  /** How the leading node is changed, and how often. */
  readonly change: Change;
  readonly times: number;
  /** Connection string. */
  readonly storage: string;
  readonly dataDir: string;
  /**
   * Factor by which the clock is faster than real time. At 15 a minute takes four seconds: the two minutes that a leader may be
   * late (docs/contract/schedules.md#missed-minutes) are longer than it takes to notice that the previous leader is gone.
   */
  readonly pace: number;
}

/** Changes the nodes once, so that the leading one is gone at the end; resolves to the milliseconds until another node led. */
export type Change = (cluster: Cluster, clock: StoryClock) => Promise<number>;

export interface Story extends Verdict {
  readonly times: number;
  /** Longest time from the end of a leader until another node led, in milliseconds. */
  readonly slowestOfficeMs: number;
  /** How often the satellite had to find another node. */
  readonly moves: number;
}

const ADMIN_KEY = "twoNodesAdministratorKey0";
const SECRET_KEY = "only for the test of two nodes";
/** Longer than a node may stay silent. */
const STILL_SEC = 45;
/** Milliseconds without any change after which a story counts as stuck. */
const STUCK_MS = 90_000;
const LOOK_MS = 100;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The clock of the nodes, as the test sees it. */
interface StoryClock {
  now(): number;
  /** Resolves at a time on that clock, in Unix seconds. */
  until(time: number): Promise<void>;
}

function storyClock(pace: number, base: number): StoryClock {
  const { now } = fastClock(pace, base);
  return { now, until: (time) => pause(Math.max(0, ((time - now()) * 1000) / pace)) };
}

/** Two nodes share a database; changes the leading one as often as asked. */
export async function runStory({ change, times, storage, dataDir, pace }: StoryOptions): Promise<Story> {
  const base = Math.floor(Date.now() / 1000);
  const clock = storyClock(pace, base);
  const runsFile = join(dataDir, "runs");
  await writeFile(runsFile, "");
  const cluster = createCluster(
    { STORAGE: storage, RUNS: runsFile, PACE: String(pace), BASE: String(base), SECRET_KEY },
    ADMIN_KEY,
  );
  const first = await cluster.start();
  const worker = startWorker(cluster, { runsFile, clusterKey: SECRET_KEY });
  let callers: Callers | undefined;
  try {
    for (const event of satelliteEvents()) await first.call("create_event", event);
    // The callers change these events.
    callers = startCallers(cluster);
    await cluster.start();
    // Half a minute for the news to reach both nodes.
    const from = Math.ceil((clock.now() + 30) / 60) * 60;
    await clock.until(from);
    let slowestOfficeMs = 0;
    for (let time = 0; time < times; time++) slowestOfficeMs = Math.max(slowestOfficeMs, await change(cluster, clock));
    await clock.until(clock.now() + 120);
    const to = Math.floor(clock.now() / 60) * 60 - 60;
    const faults = [...(await callers.stop()), ...(await settle(await cluster.leader(), to))];
    await worker.stop();
    for (const node of [...cluster.nodes])
      if ((await node.kill("SIGTERM")) !== 0) faults.push(`A node did not stop cleanly: ${cluster.stderr()}`);
    const runs = await readRuns(runsFile);
    const verdict = judge({ schedules: SCHEDULES, ...(await readStore(storage)), runs, from, to });
    return { ...verdict, faults: [...faults, ...verdict.faults], times, slowestOfficeMs, moves: worker.moves };
  } finally {
    await Promise.all([worker.stop(), callers?.stop()]);
    for (const node of [...cluster.nodes]) await node.kill("SIGKILL");
  }
}

/** Kills the leader with -9, then starts a new node. */
export const killLeader: Change = async (cluster, clock) => {
  await untilBusy(cluster, clock);
  const leader = await cluster.leader();
  const begun = performance.now();
  await leader.kill("SIGKILL");
  const restarted = cluster.start();
  await cluster.leader();
  const officeMs = performance.now() - begun;
  await restarted;
  return officeMs;
};

/** Starts a new node, then stops the leader as a supervisor would. */
export const updateLeader: Change = async (cluster, clock) => {
  await cluster.start();
  await untilBusy(cluster, clock);
  const leader = await cluster.leader();
  const begun = performance.now();
  const [code] = await Promise.all([leader.kill("SIGTERM"), cluster.otherLeader(leader)]);
  if (code !== 0) throw new Error(`A node did not stop cleanly: ${cluster.stderr()}`);
  return performance.now() - begun;
};

/**
 * Stalls the leader with SIGSTOP until another node leads and has taken over its jobs and servers. When it resumes, its satellite
 * has left its sockets, and the writes it had begun must be refused.
 */
export const stallLeader: Change = async (cluster, clock) => {
  await untilBusy(cluster, clock);
  const leader = await cluster.leader();
  const begun = performance.now();
  const goOn = cluster.standStill(leader);
  await cluster.otherLeader(leader);
  const officeMs = performance.now() - begun;
  await clock.until(clock.now() + STILL_SEC);
  goOn();
  await clock.until(clock.now() + STILL_SEC);
  return officeMs;
};

/** Half of the changes come around the start of a minute, when the leader has most to do. */
async function untilBusy(cluster: Cluster, { now, until }: StoryClock): Promise<void> {
  await cluster.leader();
  const mark = Math.ceil(now() / 60) * 60;
  if (Math.random() < 0.5) return until(now() + Math.random() * 60);
  await until(mark);
  await pause(Math.random() * 300);
}

/** Waits until all events with catch-up have caught up, disables launches, and waits for the last job to end. */
async function settle(node: Node, to: number): Promise<string[]> {
  const caughtUp = await comesTo(0, async () => {
    const { state } = (await node.call("get_global_state")) as { state: CatchUpState };
    const behind = SCHEDULES.map(({ id, catchup }) => (catchup ? to - (state.events?.[id]?.cursor ?? 0) : 0));
    return behind.reduce((sum, seconds) => sum + Math.max(0, seconds), 0);
  });
  await node.call("update_global_state", { "scheduler.enabled": false });
  const ended = await comesTo(0, async () => {
    const { list } = (await node.call("get_active_jobs", { limit: 1 })) as { list: { length: number } };
    return list.length;
  });
  return [...(caughtUp ? [] : ["Somebody never caught up"]), ...(ended ? [] : ["Some jobs never ended"])];
}

interface CatchUpState {
  readonly events?: Readonly<Record<string, { readonly cursor?: number }>>;
}

/** Waits as long as the number keeps changing, however long that takes on a busy machine. */
async function comesTo(goal: number, read: () => Promise<number>): Promise<boolean> {
  let last = Number.NaN;
  let changedAt = performance.now();
  for (;;) {
    const value = await read();
    if (value === goal) return true;
    if (value !== last) changedAt = performance.now();
    if (performance.now() - changedAt > STUCK_MS) return false;
    last = value;
    await pause(LOOK_MS);
  }
}

interface Stored {
  readonly jobs: readonly ScheduledJob[];
  readonly gaps: readonly { readonly from: number; readonly to: number }[];
}

const readStore = (connectionString: string): Promise<Stored> =>
  openRemains(pgStorage({ connectionString }), SECRET_KEY, async (readAll) => {
    const states = await readAll<{ readonly id: string; readonly gaps?: Stored["gaps"] }>("event_states");
    return { jobs: await readAll<ScheduledJob>("jobs"), gaps: states.find(({ id }) => id === "*")?.gaps ?? [] };
  });
