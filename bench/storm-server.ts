/** The engine that a fleet reconnects to, in its own process; it answers questions over IPC. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { wsAgents } from "@signalbox/adapters/agents";
import { createSignalbox, type Logger, silentLogger } from "@signalbox/core";
import { pgStorage } from "@signalbox/storage-pg";
import { sqliteStorage } from "@signalbox/storage-sqlite";
import { type ServerOrder, type ServerReport, STORM_KEY } from "./fleet-processes.ts";

const [place = "", port = "0", measuring = "exactly"] = process.argv.slice(2);
const failed: Logger["error"] = ({ error, ...fields }, message) => console.error(message, fields, error);
const log: Logger = { ...silentLogger, error: failed };
const agents = wsAgents();
const storage = place.startsWith("postgres:")
  ? pgStorage({ connectionString: place, log })
  : sqliteStorage({ filename: place, log });
const engine = createSignalbox({ storage, secretKey: STORM_KEY, agents, log });
/** Measuring to the millisecond takes 5% of a core: acceptable for a storm, but not for a day. */
const isExact = measuring === "exactly";
const delay = monitorEventLoopDelay({ resolution: isExact ? 1 : 20 });
/** Processor time of this thread between two ticks of a short timer: event loop delay without the effect of other processes. */
let longestMicros = 0;
let beforeMicros = 0;
const threadMicros = (): number => {
  const { user, system } = process.threadCpuUsage();
  return user + system;
};
const measure = (): void => {
  const now = threadMicros();
  longestMicros = Math.max(longestMicros, now - beforeMicros);
  beforeMicros = now;
};
if (isExact) setInterval(measure, 5).unref();
let samples = 0;
engine.events.on("server.minute", () => {
  samples += 1;
});
const cpuNow = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
let cpuAtLastJoin = 0;
engine.events.on("server.added", () => {
  cpuAtLastJoin = cpuNow();
});
await engine.start();
const address = await agents.listen({ port: Number(port), host: "127.0.0.1" });

/** Resident memory after garbage collections. */
function memoryNow(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().rss;
}

async function answer(order: ServerOrder): Promise<ServerReport | { readonly port: number }> {
  if (order.what === "watch") {
    delay.reset();
    delay.enable();
    longestMicros = 0;
    samples = 0;
  } else if (order.what === "stop") await engine.stop();
  return {
    port: address.port,
    samples,
    delayMaxMs: delay.max / 1e6,
    delayCpuMs: longestMicros / 1000,
    delayP99Ms: delay.percentile(99) / 1e6,
    cpuMs: cpuNow(),
    joinedCpuMs: cpuAtLastJoin,
    rss: order.what === "memory" ? memoryNow() : 0,
  };
}

process.on("message", (order: ServerOrder) => {
  answer(order).then(
    (report) => {
      process.send?.(report);
      if (order.what === "stop") process.disconnect();
    },
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.send?.({ port: address.port });
