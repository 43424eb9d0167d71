/** Thousands of satellites over several nodes, each of which reports once a minute, as real ones do. */
import { type ChildProcess, fork } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { ask as order } from "../fleet-processes.ts";
import { cpuMs, residentMb, type ServerProcess } from "../wire/processes.ts";
import type { Database } from "./database.ts";

export interface MassFigures {
  readonly sent: number;
  readonly stored: number;
  /** Of a core, while reports come. */
  readonly shares: readonly number[];
  readonly databaseShare: number;
  readonly residentMb: readonly number[];
  readonly connections: number;
}

/** After the last report, until it is stored. */
const SETTLE_MS = 5000;

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
    const { minutes: before } = await database.counts();
    const [cpu, databaseCpu, begun] = [nodes.map(({ pid }) => cpuMs(pid)), database.cpuMs(), performance.now()];
    const reports = await Promise.all(
      clients.map((client) => order<{ sent: number }>(client, { minutes }, (minutes + 4) * 60_000)),
    );
    const ms = performance.now() - begun;
    const figures = {
      shares: nodes.map(({ pid }, index) => (cpuMs(pid) - (cpu[index] ?? 0)) / ms),
      databaseShare: (database.cpuMs() - databaseCpu) / ms,
      residentMb: nodes.map(({ pid }) => residentMb(pid)),
      connections: await database.connections(),
    };
    await sleep(SETTLE_MS);
    const stored = (await database.counts()).minutes - before;
    return { ...figures, sent: reports.reduce((sum, { sent }) => sum + sent, 0), stored };
  } finally {
    for (const client of clients) client.disconnect();
  }
}

async function inTurn(
  clients: readonly ChildProcess[],
  work: (client: ChildProcess, index: number) => Promise<unknown>,
): Promise<void> {
  for (const [index, client] of clients.entries()) await work(client, index);
}
