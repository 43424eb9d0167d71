import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { LoadOrder, LoadResult } from "./http-load.ts";
import type { Arm } from "./race.ts";

const CONNECTIONS = 50;

/** The key that callers of the engines send; at least 24 characters. */
export const KEY = "benchmarksbenchmarksbench";
export const TITLES = { title: "Benchmark", icon: "tag-outline", notes: "A tag as people make them." };
/** The answer of `get_tag`, for contenders without an engine. */
export const TAG = {
  id: "bench",
  ...TITLES,
  username: "system",
  created: 1_790_000_000,
  modified: 1_790_000_000,
  revision: 1,
};

export type CallName = "getTag" | "createTag";

/** Order to a contender: calls to make in process, or none to ask only for the processor time. */
export interface Order {
  readonly call?: CallName;
  readonly ms: number;
}
export interface Ready {
  readonly port: number;
}
export interface Report {
  readonly done: number;
  readonly tookMs: number;
  /** Processor time of the whole process since its start, in microseconds. */
  readonly cpuMicros: number;
}

/** The complete request as sent. */
export const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${KEY}\r\n\r\n`;
export function post(path: string): string {
  const body = JSON.stringify(TITLES);
  const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${KEY}\r\n`;
  return `${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

async function ask<A>(child: ChildProcess, order: object): Promise<A> {
  const answer = once(child, "message", { signal: AbortSignal.timeout(60_000) });
  child.send(order);
  return (await answer)[0];
}

export interface Contender extends AsyncDisposable {
  /** Sends requests from the process `load`. */
  http(name: string, load: ChildProcess, request: string): Arm;
  /** Makes calls inside the contender's process. */
  inProcess(name: string, call: CallName): Arm;
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.disconnect();
  await ended;
}

/** Starts the process that sends the requests. */
export function startLoad(): { readonly child: ChildProcess } & AsyncDisposable {
  const child = fork(new URL("./http-load.ts", import.meta.url));
  return { child, [Symbol.asyncDispose]: () => endProcess(child) };
}

/** Starts a server of `contender.ts`. */
export async function startContender(kind: string, place = ""): Promise<Contender> {
  const child = fork(new URL("./contender.ts", import.meta.url), [kind, place]);
  const failed = once(child, "exit").then(() => Promise.reject(new Error(`${kind} ended before it was ready`)));
  const [{ port }] = (await Promise.race([once(child, "message"), failed])) as [Ready];
  failed.catch(() => undefined);
  const cpuNow = async (): Promise<number> => (await ask<Report>(child, { ms: 0 })).cpuMicros;
  return {
    http: (name, load, request) => ({
      name,
      unit: "req/s",
      async work(measureMs) {
        const order: LoadOrder = { port, request, connections: CONNECTIONS, warmupMs: measureMs / 4, measureMs };
        const before = await cpuNow();
        const { perSecond, answers, failures } = await ask<LoadResult>(load, order);
        if (failures > 0) throw new Error(`${name}: ${failures} answers were no success`);
        return { perSecond, cpuMicros: ((await cpuNow()) - before) / answers };
      },
    }),
    inProcess: (name, call) => ({
      name,
      unit: "calls/s",
      async work(measureMs) {
        const before = await cpuNow();
        const { done, tookMs, cpuMicros } = await ask<Report>(child, { call, ms: measureMs });
        return { perSecond: (done * 1000) / tookMs, cpuMicros: (cpuMicros - before) / done };
      },
    }),
    [Symbol.asyncDispose]: () => endProcess(child),
  };
}
