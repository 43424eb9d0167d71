import { readFileSync } from "node:fs";
import { createSignalbox } from "./src/signalbox.ts";
import { memoryStorage } from "./src/memory/memory-storage.ts";
import { fakeClock } from "./src/testing/fake-clock.ts";
import { scriptedAgent } from "./src/testing/scripted-agent.ts";
import { sqliteStorage } from "../storage-sqlite/src/index.ts";
import { systemClock } from "./src/ports/clock.ts";

const minute = JSON.parse(readFileSync(new URL("./src/testing/fixtures/agent-monitor.json", import.meta.url), "utf8"));
const kind = process.argv[2];
const N = Number(process.argv[3] ?? 200);
const clock = { ...systemClock };
let offset = 0;
clock.now = () => Date.now() / 1000 + offset;
const storage = kind === "sqlite" ? sqliteStorage({ path: "/tmp/perf/db-" + process.pid + ".sqlite" } as never) : memoryStorage({ clock });
const agent = scriptedAgent();
const signalbox = createSignalbox({ storage, clock, secretKey: "0123456789abcdef0123", agents: agent, log: { debug(){}, info(){}, warn(...a: unknown[]){console.log("warn",a)}, error(...a: unknown[]){console.log("error",a)} } as never });
await signalbox.start();
let t = performance.now();
const servers = await Promise.all(Array.from({ length: N }, (_, i) => agent.connect({ hostname: "h" + i, id: "s" + i })));
console.log(kind, "joined", N, Math.round(performance.now() - t), "ms");
let stored = 0;
let done: () => void = () => {};
signalbox.events.on("server.minute", () => { if (++stored === N) done(); });
for (let m = 1; m <= 6; m++) {
  offset += 60; stored = 0;
  t = performance.now();
  const all = new Promise<void>((r) => { done = r; });
  for (const s of servers) s.send("monitor", { ...minute, date: clock.now() });
  const sent = performance.now() - t;
  await all;
  const took = performance.now() - t;
  console.log("minute", m, "sent", Math.round(sent), "ms; stored", Math.round(took), "ms;", ((took - sent) * 1000 / N).toFixed(0), "us/server");
}
const { rows } = await signalbox.api.getLatestMonitorData({ server: "s0", sys: "hourly", limit: 9 });
console.log(rows.length, rows.at(-1)?.["load_avg"]);
await signalbox.stop();
