/** Starts the processes of the fleet benchmarks, and declares the messages they exchange over IPC. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

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
  /** Longest processor time between two ticks of a timer. */
  readonly delayCpuMs: number;
  /** Processor time of the whole process since its start. */
  readonly cpuMs: number;
  /** Processor time when the last satellite so far was admitted. */
  readonly joinedCpuMs: number;
  /** Bytes. */
  readonly rss: number;
}

/** To the satellites: connect, all at once. */
export interface ClientOrder {
  readonly port: number;
  readonly count: number;
  /** Prefix of their ids; default `sat`. */
  readonly name?: string;
  /** True = each satellite sends a minute sample after the welcome. */
  readonly sampling: boolean;
}
/** To the connected satellites: send one sample each, every minute. Answered when the last minute is over. */
export interface MinutesOrder {
  readonly minutes: number;
}
export interface MinutesReport {
  readonly sent: number;
  /** Samples due while the satellite was not connected. */
  readonly missed: number;
}
export interface ClientReport {
  readonly medianMs: number;
  readonly lastMs: number;
  /** Attempts that did not end in a join. */
  readonly retries: number;
}

const TIMEOUT_MS = 180_000;
const SETTLE_MS = 3000;

export async function ask<A>(child: ChildProcess, order: object, timeoutMs = TIMEOUT_MS): Promise<A> {
  const answer = once(child, "message", { signal: AbortSignal.timeout(timeoutMs) });
  child.send(order);
  return (await answer)[0];
}

export async function startServer(
  place: string,
  port: number,
  measuring: "exactly" | "roughly" = "exactly",
): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(new URL("./storm-server.ts", import.meta.url), [place, String(port), measuring], {
    execArgv: [...process.execArgv, "--expose-gc"],
  });
  const failed = once(child, "exit").then(() => Promise.reject(new Error("The server ended before it was ready")));
  const [ready] = (await Promise.race([once(child, "message"), failed])) as [{ port: number }];
  failed.catch(() => undefined);
  return { child, port: ready.port };
}

export async function stopServer(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  await ask(child, { what: "stop" });
  await ended;
}

/** Waits until every sent sample is stored, or no more arrive. */
export async function settled(server: ChildProcess, count: number): Promise<ServerReport> {
  for (let before = -1; ; ) {
    const report = await ask<ServerReport>(server, { what: "report" });
    if (report.samples >= count || report.samples === before) return report;
    before = report.samples;
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  }
}
