/** Thousands of satellites in one process. They come when they are told to, and come back as real ones do. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { WebSocket } from "ws";
import { type ClientOrder, type ClientReport, STORM_KEY } from "./fleet-storm.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const fixture = (name: string): string =>
  readFileSync(new URL(`../packages/core/src/testing/fixtures/${name}.json`, import.meta.url), "utf8");
const hello = JSON.parse(fixture("agent-hello")) as { info: object };
const sample = JSON.parse(fixture("agent-monitor")) as { data: { load: number[] } };
// A fleet that is well: what thousands of alerts at once cost is another question.
sample.data.load = [0.5, 0.5, 0.5];
const MAX_DELAY_MS = 30_000;
/** What a real satellite waits before its first sample. */
const FIRST_SAMPLE_MS = 1000;

/** One storm: from the order until everybody has said its first sample. */
interface Storm {
  readonly order: ClientOrder;
  readonly startedMs: number;
  readonly joinedMs: number[];
  attempts: number;
  sent: number;
  readonly finish: (report: ClientReport) => void;
}

const sockets = new Set<WebSocket>();

function connect(storm: Storm, index: number, delayMs = FIRST_SAMPLE_MS): void {
  const { order } = storm;
  const id = `sat${index}`;
  storm.attempts += 1;
  const socket = new WebSocket(`ws://127.0.0.1:${order.port}/`, {
    localAddress: `127.0.${1 + Math.floor(index / 200)}.${1 + (index % 200)}`,
    perMessageDeflate: false,
  });
  let hasJoined = false;
  const say = (cmd: string, data: unknown): void => socket.send(JSON.stringify({ cmd, data }));
  socket.on("open", () => say("hello", { hostname: `${id}.example.internal`, id, info: hello.info }));
  socket.on("message", (frame) => {
    const { cmd, data } = JSON.parse(String(frame)) as { cmd: string; data: { id: string } };
    if (cmd === "hello") say("join", { token: sha256(id + STORM_KEY) });
    else if (cmd === "echo") say("echoback", data);
    else if (cmd === "joined") {
      hasJoined = true;
      storm.joinedMs.push(performance.now() - storm.startedMs);
      setTimeout(() => {
        if (order.sampling) say("monitor", { ...sample, date: Date.now() / 1000, server: id });
        storm.sent += 1;
        if (storm.sent === order.count) finish(storm);
      }, FIRST_SAMPLE_MS);
    }
  });
  socket.on("error", () => undefined);
  socket.on("close", () => {
    sockets.delete(socket);
    if (!hasJoined) setTimeout(() => connect(storm, index, Math.min(MAX_DELAY_MS, delayMs * 2)), delayMs);
  });
  sockets.add(socket);
}

function finish({ joinedMs, attempts, order, finish: done }: Storm): void {
  const sorted = joinedMs.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  done({ medianMs: at(0.5), lastMs: at(1), retries: attempts - order.count });
}

const run = (order: ClientOrder): Promise<ClientReport> =>
  new Promise((resolve) => {
    const storm: Storm = { order, startedMs: performance.now(), joinedMs: [], attempts: 0, sent: 0, finish: resolve };
    for (let index = 0; index < order.count; index++) connect(storm, index);
  });

process.on("message", (order: ClientOrder) => {
  run(order).then((report) => process.send?.(report), console.error);
});
process.on("disconnect", () => process.exit(0));
