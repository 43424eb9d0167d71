/** Waiting time for an answer about a server of the node that is called, and about a server of another node. */
import { setTimeout as sleep } from "node:timers/promises";
import { ask, type ServerProcess } from "../wire/processes.ts";
import { joinAll, type Satellite } from "../wire/satellites.ts";

/** Milliseconds. */
export interface Waits {
  readonly p50: number;
  readonly p99: number;
}
export interface Latency {
  readonly operation: string;
  readonly near: Waits;
  readonly far: Waits;
}

/** Operations that only the server's node can answer. */
const CALLS: Readonly<Record<string, (id: string) => object>> = {
  get_quickmon_data: (server) => ({ server }),
  get_server: (id) => ({ id }),
  create_snapshot: (server) => ({ server }),
  watch_server: (id) => ({ id, duration: 3600 }),
};
const TURNS = 300;
/** Calls before the measurement: code that runs for the first time is slow. */
const WARM_UP = 50;

export async function measureLatency(nodes: readonly ServerProcess[]): Promise<Latency[]> {
  const satellites = (await Promise.all(nodes.map(({ port }, index) => joinAll(port, `n${index}x`, 1)))).flat();
  const [{ port }, near, far] = [nodes[0], satellites[0], satellites[1]] as [ServerProcess, Satellite, Satellite];
  for (const satellite of satellites) {
    satellite.sendMinute(1);
    satellite.sendSecond();
  }
  for (const { id } of [near, far]) while (!(await hasMinute(port, id))) await sleep(50);
  const found: Latency[] = [];
  for (const [operation, inputFor] of Object.entries(CALLS)) {
    const call = (id: string) => ask(port, operation, inputFor(id));
    found.push({
      operation,
      ...(await inTurn(
        () => call(near.id),
        () => call(far.id),
      )),
    });
  }
  for (const satellite of satellites) satellite.close();
  return found;
}

async function hasMinute(port: number, id: string): Promise<boolean> {
  const { data } = await ask<{ data?: { data?: object } }>(port, "get_server", { id });
  return data?.data !== undefined;
}

/** Alternates near and far calls, so that both run under the same conditions. */
async function inTurn(near: () => Promise<unknown>, far: () => Promise<unknown>): Promise<Omit<Latency, "operation">> {
  const times: { readonly near: number[]; readonly far: number[] } = { near: [], far: [] };
  for (let turn = -WARM_UP; turn < TURNS; turn++)
    for (const [where, call] of [
      ["near", near],
      ["far", far],
    ] as const) {
      const begun = performance.now();
      await call();
      if (turn >= 0) times[where].push(performance.now() - begun);
    }
  return { near: waitsOf(times.near), far: waitsOf(times.far) };
}

function waitsOf(times: readonly number[]): Waits {
  const sorted = times.toSorted((one, two) => one - two);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}
