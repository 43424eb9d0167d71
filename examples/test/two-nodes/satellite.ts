import { appendFileSync } from "node:fs";
import { type SocketSatellite, socketSatellite } from "@signalbox/core/testing";
import type { Cluster, Node } from "./nodes.ts";
import { SATELLITE } from "./schedules.ts";

/** A satellite that completes every job at once, and repeats the report until it was certainly heard. */
export interface Worker {
  /** How often it had to find another node. */
  readonly moves: number;
  stop(): Promise<void>;
}

interface Done {
  readonly id: string;
  readonly until: number;
}

const REPEAT_MS = 400;
/** Milliseconds that an ended job is remembered and its report repeated: a killed node may not have stored the first. */
const REMEMBER_MS = 15_000;
const PAUSE_MS = 50;

export function startWorker(
  cluster: Cluster,
  { runsFile, clusterKey }: { runsFile: string; clusterKey: string },
): Worker {
  const stopping = new AbortController();
  const done: Done[] = [];
  let moves = -1;
  const report = (link: SocketSatellite): void => {
    while ((done[0]?.until ?? Number.POSITIVE_INFINITY) < performance.now()) done.shift();
    if (!link.isOpen || done.length === 0) return;
    link.send("jobs", Object.fromEntries(done.map(({ id }) => [id, { state: "complete", complete: true, code: 0 }])));
  };
  const take = (link: SocketSatellite, from: number): number => {
    for (const { cmd, data } of link.received.slice(from)) {
      if (cmd !== "launch_job") continue;
      const { id } = (data as { job: { id: string } }).job;
      appendFileSync(runsFile, `${id}\n`);
      done.push({ id, until: performance.now() + REMEMBER_MS });
    }
    return link.received.length;
  };
  /** A real satellite notices by a missing echo. */
  const standsStill = (node: Node): boolean => !cluster.nodes.includes(node);
  const serve = async (link: SocketSatellite, node: Node): Promise<void> => {
    moves += 1;
    report(link);
    let reportedAt = performance.now();
    for (let from = 0; link.isOpen && !standsStill(node) && !stopping.signal.aborted; ) {
      const before = done.length;
      from = take(link, from);
      if (done.length > before || performance.now() - reportedAt > REPEAT_MS) {
        report(link);
        reportedAt = performance.now();
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    link.close();
  };
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const { nodes } = cluster;
      const node = nodes[Math.floor(Math.random() * nodes.length)];
      const url = node?.url.replace("http:", "ws:");
      // A node killed meanwhile refuses the connection: the next round tries another one.
      const link = url
        ? await socketSatellite({ url, hostname: SATELLITE, id: SATELLITE, join: { clusterKey } }).catch(
            () => undefined,
          )
        : undefined;
      if (link && node) await serve(link, node);
      else await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
  const running = run();
  return {
    get moves() {
      return moves;
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
