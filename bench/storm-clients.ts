/** Thousands of satellites in one process. They connect on request, and reconnect as real ones do. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import {
  type ClientOrder,
  type ClientReport,
  type MinutesOrder,
  type MinutesReport,
  STORM_KEY,
} from "./fleet-processes.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const fixture = (name: string): string =>
  readFileSync(new URL(`../packages/core/src/testing/fixtures/${name}.json`, import.meta.url), "utf8");
const hello = JSON.parse(fixture("agent-hello")) as { info: object };
const sample = JSON.parse(fixture("agent-monitor")) as { data: { load: number[] } };
// Healthy readings: the cost of thousands of alerts at once is a different question.
sample.data.load = [0.5, 0.5, 0.5];
const MAX_DELAY_MS = 30_000;
/** Milliseconds that a real satellite waits before its first sample. */
const FIRST_SAMPLE_MS = 1000;
const TICK_MS = 20;
const MINUTE_MS = 60_000;
const SPREAD_MS = 29_000;

/** One storm: from the order until every satellite has sent its first sample. */
interface Storm {
  readonly order: ClientOrder;
  readonly startedMs: number;
  readonly joinedMs: number[];
  attempts: number;
  sent: number;
  readonly finish: (report: ClientReport) => void;
}

/** Sockets of the satellites that have joined, by id. */
const joined = new Map<string, WebSocket>();

const sendSample = (id: string, socket: WebSocket): void =>
  socket.send(JSON.stringify({ cmd: "monitor", data: { ...sample, date: Date.now() / 1000, server: id } }));

function connect(storm: Storm, index: number, delayMs = FIRST_SAMPLE_MS): void {
  const { order } = storm;
  const id = `${order.name ?? "sat"}${index}`;
  storm.attempts += 1;
  const socket = new WebSocket(`ws://127.0.0.1:${order.port}/`, { perMessageDeflate: false });
  let hasJoined = false;
  const say = (cmd: string, data: unknown): void => socket.send(JSON.stringify({ cmd, data }));
  socket.on("open", () => say("hello", { hostname: `${id}.example.internal`, id, info: hello.info }));
  socket.on("message", (frame) => {
    const { cmd, data } = JSON.parse(String(frame)) as { cmd: string; data: { id: string } };
    if (cmd === "hello") say("join", { token: sha256(id + STORM_KEY) });
    else if (cmd === "echo") say("echoback", data);
    else if (cmd === "joined") {
      hasJoined = true;
      joined.set(id, socket);
      storm.joinedMs.push(performance.now() - storm.startedMs);
      setTimeout(() => {
        if (order.sampling) sendSample(id, socket);
        storm.sent += 1;
        if (storm.sent === order.count) finish(storm);
      }, FIRST_SAMPLE_MS);
    }
  });
  socket.on("error", () => undefined);
  socket.on("close", () => {
    joined.delete(id);
    if (!hasJoined) setTimeout(() => connect(storm, index, Math.min(MAX_DELAY_MS, delayMs * 2)), delayMs);
  });
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

/** Reports as real satellites do: one to thirty seconds after the full minute, each at its own time. */
async function report({ minutes }: MinutesOrder): Promise<MinutesReport> {
  const fleet = [...joined.keys()];
  const told = { sent: 0, missed: 0 };
  const tell = (id: string): void => {
    const socket = joined.get(id);
    told[socket?.readyState === WebSocket.OPEN ? "sent" : "missed"] += 1;
    if (socket?.readyState === WebSocket.OPEN) sendSample(id, socket);
  };
  await sleep(MINUTE_MS - (Date.now() % MINUTE_MS) + FIRST_SAMPLE_MS);
  for (let minute = 0; minute < minutes; minute++) {
    const begun = performance.now();
    for (let sent = 0; sent < fleet.length; await sleep(TICK_MS)) {
      const due = Math.min(fleet.length, Math.ceil(((performance.now() - begun) / SPREAD_MS) * fleet.length));
      for (const id of fleet.slice(sent, due)) tell(id);
      sent = due;
    }
    await sleep(MINUTE_MS - (performance.now() - begun));
  }
  return told;
}

process.on("message", (order: ClientOrder | MinutesOrder) => {
  const done: Promise<object> = "minutes" in order ? report(order) : run(order);
  done.then((answer) => process.send?.(answer), console.error);
});
process.on("disconnect", () => process.exit(0));
