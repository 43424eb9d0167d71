import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ask, type ClientReport, type ServerReport, settled, startServer, stopServer } from "./fleet-processes.ts";
import { openPostgres } from "./postgres.ts";
import type { Row } from "./report.ts";

export interface StormOptions {
  readonly satellites?: number;
}

/** Measures storms on SQLite in a file with `synchronous=FULL`, and on PostgreSQL with fsync. */
export async function runStorms({ satellites = 5000 }: StormOptions = {}): Promise<Row[]> {
  await using stack = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "signalbox-storm-"));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const postgres = await openPostgres(stack, "storm");
  const onSqlite = await runStorm(satellites, join(folder, "storm.db"));
  const onPostgres = await runStorm(satellites, await postgres());
  const named = (rows: readonly Row[], storage: string): Row[] =>
    rows.map((row) => ({ ...row, name: `${row.name}, ${storage}` }));
  return [...named(onSqlite, "SQLite"), ...named(onPostgres, "PostgreSQL")];
}

/**
 * Connects a fleet, restarts the server on the same database and port, and lets the whole fleet reconnect at once; each satellite
 * sends a full sample one second after its welcome.
 */
async function runStorm(count: number, place: string): Promise<Row[]> {
  const clients = fork(new URL("./storm-clients.ts", import.meta.url));
  try {
    const first = await startServer(place, 0);
    await ask(first.child, { what: "watch" });
    const enrolled = await ask<ClientReport>(clients, { port: first.port, count, sampling: false });
    await settled(first.child, 0);
    await stopServer(first.child);

    const second = await startServer(place, first.port);
    const empty = await ask<ServerReport>(second.child, { what: "memory" });
    await ask(second.child, { what: "watch" });
    const back = await ask<ClientReport>(clients, { port: second.port, count, sampling: true });
    const after = await settled(second.child, count);
    const idle = await ask<ServerReport>(second.child, { what: "memory" });
    await stopServer(second.child);
    const n = count.toLocaleString("en-US");
    return [
      { name: `${n} new satellites, all joined after`, value: enrolled.lastMs / 1000, unit: "s" },
      {
        name: `budget of 10 s / ${n} satellites back after a restart`,
        value: back.lastMs / 1000,
        unit: "s",
        ratio: 10_000 / back.lastMs,
        byCpu: 10_000 / (after.joinedCpuMs - empty.cpuMs),
        floor: 1,
        goal: 2,
      },
      { name: "half of them after", value: back.medianMs / 1000, unit: "s" },
      { name: "attempts that had to be repeated", value: back.retries, unit: "attempts" },
      {
        name: "budget of 100 ms / longest loop delay",
        value: after.delayMaxMs,
        unit: "ms",
        ratio: 100 / after.delayMaxMs,
        byCpu: 100 / after.delayCpuMs,
        floor: 1,
      },
      { name: "loop delay, 99 of 100", value: after.delayP99Ms, unit: "ms" },
      { name: "samples stored / sent", value: after.samples, unit: "samples", ratio: after.samples / count, floor: 1 },
      { name: "processor time of it all, for one satellite", value: (after.cpuMs - empty.cpuMs) / count, unit: "ms" },
      { name: "memory of one idle satellite", value: (idle.rss - empty.rss) / count / 1024, unit: "KB" },
    ];
  } finally {
    clients.disconnect();
  }
}
