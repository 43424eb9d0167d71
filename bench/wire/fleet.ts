import { setTimeout as sleep } from "node:timers/promises";
import { median } from "../report.ts";
import { drive, request } from "./drive.ts";
import { ask, cpuMs, KEY, type ServerProcess } from "./processes.ts";
import { joinAll, type Satellite, WELL } from "./satellites.ts";

const SERVERS = 10;
const RUNS = 3;
const JOBS = 300;
/** Milliseconds between two checks whether all jobs have ended: a check reads all active jobs, a cost that belongs to no job. */
const LOOK_MS = 250;
const MINUTE_MS = 60_000;
/** Milliseconds into the minute, so that slightly different clocks mean the same minute. */
const LEAD_MS = 1500;
const SECONDS = 20;
/** Samples of a satellite per second; a server accepts five, and drops the others after reading them. */
const SECONDS_TOGETHER = 4;
/** Milliseconds from one such group to the next, so that no two share a second. */
const APART_MS = 1100;
const TAKEN_IN_MS = 200;

/**
 * Runs jobs with this many callers, each of which starts the next job when the last is stored; resolves to the milliseconds of
 * processor time per job.
 */
async function jobsBy(callers: number, event: string, { port, pid }: ServerProcess): Promise<number> {
  const active = async (): Promise<number> =>
    (await ask<{ list: { length: number } }>(port, "get_active_jobs", { event, limit: 1 })).list.length;
  const make = (): string => request("POST", "/api/app/run_event/v1", KEY, { id: event });
  const before = cpuMs(pid);
  await drive({ port, connections: callers, count: JOBS, request: make });
  while ((await active()) > 0) await sleep(LOOK_MS);
  return (cpuMs(pid) - before) / JOBS;
}

/** Milliseconds of processor time per job with ten callers, and with one. */
export interface JobFigures {
  readonly ten: number;
  readonly one: number;
}

/**
 * Cost of a job on a satellite from the request to its stored end. No alert fires there, as none does in the hand-written
 * version.
 */
export async function measureJobs(server: ServerProcess): Promise<JobFigures> {
  const satellites = await joinAll(server.port, "jobber", SERVERS, WELL);
  for (const satellite of satellites) satellite.sendMinute(0);
  const { event } = await ask<{ event: { id: string } }>(server.port, "create_event", {
    ...{ title: "Nothing", enabled: true, category: "general", plugin: "shellplug", algo: "round_robin" },
    targets: satellites.map(({ id }) => id),
    params: { script: "#!/bin/sh\ntrue\n", annotate: false, json: false },
    ...{ limits: [], actions: [], triggers: [{ type: "manual", enabled: true }] },
  });
  await jobsBy(10, event.id, server);
  const turns: JobFigures[] = [];
  for (let run = 0; run < RUNS; run++)
    turns.push({ ten: await jobsBy(10, event.id, server), one: await jobsBy(1, event.id, server) });
  for (const satellite of satellites) satellite.close();
  return { ten: median(turns.map(({ ten }) => ten)), one: median(turns.map(({ one }) => one)) };
}

export interface MinuteFigures {
  /** Samples that a core processes in a second. */
  readonly first: number;
  /** First samples, with no alert firing. */
  readonly quiet: number;
  readonly later: number;
  /** Microseconds of processor time for a sample of one second. */
  readonly secondMicros: number;
}

const freshMinute = (): Promise<void> => sleep(MINUTE_MS - (Date.now() % MINUTE_MS) + LEAD_MS);

/** Sends one minute of each satellite at once, and waits until the last ones can be read back. */
async function burst(satellites: readonly Satellite[], { port, pid }: ServerProcess): Promise<number> {
  await freshMinute();
  const stamp = Date.now();
  const probes = satellites.filter((_, index) => index % Math.ceil(satellites.length / 10) === 0).toReversed();
  const last = satellites.at(-1);
  const before = cpuMs(pid);
  for (const satellite of satellites) satellite.sendMinute(stamp);
  for (const { id } of last ? [last, ...probes] : probes) {
    const mark = async (): Promise<unknown> =>
      (await ask<{ data?: { data?: { mark?: unknown } } }>(port, "get_server", { id })).data?.data?.mark;
    while ((await mark()) !== stamp) await sleep(20);
  }
  return (satellites.length * 1000) / (cpuMs(pid) - before);
}

/** Samples of seconds get no answer: they count as processed when their bytes have left and a later call was answered. */
async function secondsOf(satellites: readonly Satellite[], { port, pid }: ServerProcess): Promise<number> {
  let spent = 0;
  for (let sent = 0; sent < SECONDS; sent += SECONDS_TOGETHER) {
    await sleep(APART_MS);
    const before = cpuMs(pid);
    for (let turn = 0; turn < SECONDS_TOGETHER; turn++) {
      for (const satellite of satellites) satellite.sendSecond();
      while (satellites.some(({ buffered }) => buffered > 0)) await sleep(10);
    }
    await sleep(TAKEN_IN_MS);
    await ask(port, "get_quickmon_data", { server: satellites.at(-1)?.id });
    spent += cpuMs(pid) - before;
  }
  return (spent * 1000) / (SECONDS * satellites.length);
}

export async function measureMinutes(server: ServerProcess, count: number): Promise<MinuteFigures> {
  const satellites = await joinAll(server.port, "load", count);
  const first = await burst(satellites, server);
  const later: number[] = [];
  for (let run = 0; run < RUNS; run++) later.push(await burst(satellites, server));
  const secondMicros = await secondsOf(satellites, server);
  const well = await joinAll(server.port, "well", count, WELL);
  const quiet = await burst(well, server);
  // Only now: the work that follows when many leave at once would count.
  for (const satellite of [...satellites, ...well]) satellite.close();
  return { first, quiet, later: median(later), secondMicros };
}
