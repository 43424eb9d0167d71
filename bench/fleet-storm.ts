import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Row } from "./report.ts";

export const STORM_KEY = "a key for benchmarks only";

/** To the server: "watch" starts a measurement, "memory" collects garbage first, "stop" ends it. */
export interface ServerOrder {
  readonly what: "watch" | "report" | "memory" | "stop";
}
export interface ServerReport {
  readonly port: number;
  /** Minutes evaluated and stored. */
  readonly samples: number;
  readonly delayMaxMs: number;
  readonly delayP99Ms: number;
  /** Longest processor time between two turns of a timer. */
  readonly delayCpuMs: number;
  /** Of the whole process since its start. */
  readonly cpuMs: number;
  /** The same when the last satellite so far was taken in. */
  readonly joinedCpuMs: number;
  /** Bytes. */
  readonly rss: number;
}

/** To the satellites: come, all at once. */
export interface ClientOrder {
  readonly port: number;
  readonly count: number;
  /** Each sends a minute sample after its welcome. */
  readonly sampling: boolean;
}
export interface ClientReport {
  readonly medianMs: number;
  readonly lastMs: number;
  /** Attempts that did not lead to a join. */
  readonly retries: number;
}

const TIMEOUT_MS = 180_000;
const SETTLE_MS = 3000;

async function ask<A>(child: ChildProcess, order: object): Promise<A> {
  const answer = once(child, "message", { signal: AbortSignal.timeout(TIMEOUT_MS) });
  child.send(order);
  return (await answer)[0];
}

async function startServer(place: string, port: number): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(new URL("./storm-server.ts", import.meta.url), [place, String(port)], {
    execArgv: [...process.execArgv, "--expose-gc"],
  });
  const failed = once(child, "exit").then(() => Promise.reject(new Error("The server ended before it was ready")));
  const [ready] = (await Promise.race([once(child, "message"), failed])) as [{ port: number }];
  failed.catch(() => undefined);
  return { child, port: ready.port };
}

async function stopServer(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  await ask(child, { what: "stop" });
  await ended;
}

/** Waits until every sample that was sent is stored, or until nothing comes any more. */
async function settled(server: ChildProcess, count: number): Promise<ServerReport> {
  for (let before = -1; ; ) {
    const report = await ask<ServerReport>(server, { what: "report" });
    if (report.samples >= count || report.samples === before) return report;
    before = report.samples;
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  }
}

export interface StormOptions {
  readonly satellites?: number;
  /** File name for SQLite, or `postgres://` address; default: a file that is removed again. */
  readonly place?: string;
}

/**
 * A fleet connects, the server restarts on the same database and port, and the whole fleet comes back at once; each
 * satellite sends a full sample one second after it was welcomed.
 */
export async function runStorm({ satellites: count = 5000, place: given }: StormOptions = {}): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-storm-"));
  const place = given ?? join(folder, "storm.db");
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
    rmSync(folder, { recursive: true, force: true });
  }
}
