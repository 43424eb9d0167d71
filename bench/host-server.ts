/** A host with Signalbox in its own process, which watches its own event loop and answers questions over IPC. */
import { mkdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname } from "node:path";
import { createHistogram, monitorEventLoopDelay } from "node:perf_hooks";
import { getRequestListener } from "@hono/node-server";
import { localAgent } from "@signalbox/adapters/local-agent";
import { createSignalbox, defineEvent, type Logger, silentLogger } from "@signalbox/core";
import { createRouter } from "@signalbox/http-hono";
import { sqliteStorage } from "@signalbox/storage-sqlite";
import { HOST_KEY, type HostOrder, type HostReport } from "./host-loop.ts";

const [filename = ""] = process.argv.slice(2);
mkdirSync(dirname(filename), { recursive: true });
const failed: Logger["error"] = ({ error, ...fields }, message) => console.error(message, fields, error);
const log: Logger = { ...silentLogger, error: failed };
let jobs = 0;
const work = defineEvent({
  id: "work",
  title: "A job of the host",
  run: ({ log: write }) => {
    for (let line = 0; line < 10; line++) write(`line ${line} of what a job has to say`);
  },
});
const engine = createSignalbox({
  storage: sqliteStorage({ filename, log }),
  secretKey: "a key for benchmarks only",
  administratorKey: HOST_KEY,
  agents: localAgent({ minuteEverySec: 3600, quickEverySec: 0 }),
  events: [work],
  log,
  config: { max_jobs_per_min: 0 },
});
engine.events.on("job.completed", () => {
  jobs += 1;
});
await engine.start();
// Alerts of a busy machine would keep jobs away from it.
for (const { id } of (await engine.api.getAlerts({})).rows) await engine.api.deleteAlert({ id });
const server = createServer(getRequestListener(createRouter(engine).fetch));
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

const delay = monitorEventLoopDelay({ resolution: 1 });
/** Processor time of this thread between two ticks of a short timer, in microseconds. */
const pieces = createHistogram();
const threadMicros = (): number => {
  const { user, system } = process.threadCpuUsage();
  return user + system;
};
let beforeMicros = 0;
setInterval(() => {
  const now = threadMicros();
  pieces.record(Math.max(1, now - beforeMicros));
  beforeMicros = now;
}, 1).unref();

const report = (): HostReport => ({
  port: (server.address() as AddressInfo).port,
  jobs,
  delayP99Ms: delay.percentile(99) / 1e6,
  delayMaxMs: delay.max / 1e6,
  pieceP99Ms: pieces.percentile(99) / 1000,
  pieceP999Ms: pieces.percentile(99.9) / 1000,
  pieceMaxMs: pieces.max / 1000,
  cpuMs: threadMicros() / 1000,
});

async function obey({ what }: HostOrder): Promise<HostReport> {
  if (what === "watch") {
    delay.reset();
    delay.enable();
    pieces.reset();
    beforeMicros = threadMicros();
    jobs = 0;
  }
  const answer = report();
  if (what === "stop") {
    server.close();
    server.closeAllConnections();
    await engine.stop();
  }
  return answer;
}

process.on("message", (order: HostOrder) => {
  obey(order).then(
    (answer) => {
      process.send?.(answer);
      if (order.what === "stop") process.disconnect();
    },
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.send?.(report());
