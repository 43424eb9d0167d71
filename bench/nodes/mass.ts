/** Thousands of satellites over several nodes, each reporting once a minute, as real ones do. */
import { type ChildProcess, fork } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { type MinutesReport, ask as order } from "../fleet-processes.ts";
import { ask, cpuMs, residentMb, type ServerProcess } from "../wire/processes.ts";
import type { Database } from "./database.ts";

export interface MassFigures extends MinutesReport {
  readonly stored: number;
  /** Shares of a core used while reports arrive, by node. */
  readonly shares: readonly number[];
  readonly databaseShare: number;
  readonly residentMb: readonly number[];
  readonly connections: number;
  /** Satellites per node at the end. */
  readonly satellites: readonly number[];
}

const MINUTE_MS = 60_000;
/** Milliseconds to wait after the last report until it is stored. */
const SETTLE_MS = 10_000;
/**
 * Minutes by which a run may exceed the current hour: a longer run would outlive that hour's packing, five minutes after its end.
 */
const LEFT_MIN = 3;

export async function measureMass(
  nodes: readonly ServerProcess[],
  database: Database,
  { satellites, minutes }: { readonly satellites: number; readonly minutes: number },
): Promise<MassFigures> {
  const clients = nodes.map(() => fork(new URL("../storm-clients.ts", import.meta.url)));
  try {
    const count = Math.floor(satellites / nodes.length);
    await inTurn(clients, (client, index) =>
      order(client, { port: nodes[index]?.port, count, sampling: false, name: `n${index}x` }),
    );
    const minuteOfHour = new Date().getUTCMinutes();
    if (minuteOfHour + minutes > 60 + LEFT_MIN) await sleep((60 - minuteOfHour) * MINUTE_MS);
    // Satellites start with the next minute.
    await sleep(Math.max(0, MINUTE_MS - (Date.now() % MINUTE_MS) - 1000));
    const first = Math.floor(Date.now() / MINUTE_MS);
    const [cpu, databaseCpu, begun] = [nodes.map(({ pid }) => cpuMs(pid)), database.cpuMs(), performance.now()];
    const reports = await Promise.all(
      clients.map((client) => order<MinutesReport>(client, { minutes }, (minutes + 4) * MINUTE_MS)),
    );
    const ms = performance.now() - begun;
    const figures = {
      shares: nodes.map(({ pid }, index) => (cpuMs(pid) - (cpu[index] ?? 0)) / ms),
      databaseShare: (database.cpuMs() - databaseCpu) / ms,
      residentMb: nodes.map(({ pid }) => residentMb(pid)),
      connections: await database.connections(),
      satellites: await connected(nodes),
    };
    await sleep(SETTLE_MS);
    const sum = (name: keyof MinutesReport): number => reports.reduce((total, report) => total + report[name], 0);
    return { ...figures, sent: sum("sent"), missed: sum("missed"), stored: await database.storedSince(first) };
  } finally {
    for (const client of clients) client.disconnect();
  }
}

/** Number of satellites per node, including its own agent. */
async function connected([one]: readonly ServerProcess[]): Promise<number[]> {
  const { rows } = await ask<{ rows: { stats: { satellites: number } }[] }>((one as ServerProcess).port, "get_masters");
  return rows.map(({ stats }) => stats.satellites);
}

async function inTurn(
  clients: readonly ChildProcess[],
  work: (client: ChildProcess, index: number) => Promise<unknown>,
): Promise<void> {
  for (const [index, client] of clients.entries()) await work(client, index);
}
