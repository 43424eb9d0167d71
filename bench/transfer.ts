import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createSignalbox } from "@signalbox/core";
import { definePlugin } from "@signalbox/core/plugin";
import type { CollectionDefinition } from "@signalbox/core/storage";
import { sqliteStorage } from "@signalbox/storage-sqlite";

/**
 * A backup of a million rows of the activity log: how long it takes, what it holds in memory beyond an idle engine, and how
 * long the loop is away in one go. SQLite in a file. `SIGNALBOX_BENCH_ROWS` changes the number.
 */
const ROWS = Number(process.env["SIGNALBOX_BENCH_ROWS"] ?? 1_000_000);
const GOAL_MB = 100;
const BATCH = 2000;

interface Row {
  id: string;
  readonly [member: string]: unknown;
}

const folder = mkdtempSync(join(tmpdir(), "signalbox-transfer-"));
const storage = sqliteStorage({ filename: join(folder, "bench.db") });
let collection: CollectionDefinition<Row> | undefined;
const look = definePlugin({
  id: "bench.look",
  start: async ({ registry }) => {
    collection = registry.searchTables.get("activity")?.collection;
  },
});
const engine = createSignalbox({ storage, secretKey: "a key for this benchmark", plugins: [look] });
await engine.start();
// Nothing of an engine alone keeps a process alive.
const alive = setInterval(() => undefined, 60_000);
try {
  await fill();
  globalThis.gc?.();
  const idle = process.memoryUsage().rss;
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const began = performance.now();
  const { body } = await engine.api.adminExportData({ indexes: ["activity"] });
  let [bytes, peak] = [0, idle];
  for await (const piece of body ?? []) {
    bytes += piece.length;
    peak = Math.max(peak, process.memoryUsage().rss);
  }
  delay.disable();
  const seconds = (performance.now() - began) / 1000;
  const grown = (peak - idle) / 1e6;
  console.log(
    `${ROWS} rows in ${seconds.toFixed(1)} s (${Math.round(ROWS / seconds)} rows/s), ${(bytes / 1e6).toFixed(1)} MB packed; ` +
      `${grown.toFixed(0)} MB over idle (goal: below ${GOAL_MB}); loop away p99 ${(delay.percentile(99) / 1e6).toFixed(1)} ms, ` +
      `longest ${(delay.max / 1e6).toFixed(1)} ms`,
  );
  if (grown >= GOAL_MB) process.exitCode = 1;
} finally {
  clearInterval(alive);
  await engine.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function fill(): Promise<void> {
  for (let first = 0; first < ROWS; first += BATCH) {
    if (!collection) throw new Error("There is no activity log");
    const target = collection;
    const rows = Array.from({ length: Math.min(BATCH, ROWS - first) }, (_, n) => rowOf(first + n));
    await storage.write((tx) => tx.collection(target).insertMany(rows));
  }
}

function rowOf(n: number): Row {
  return {
    ...{
      id: `a${String(n).padStart(9, "0")}`,
      action: "tag_update",
      epoch: 1_700_000_000 + n,
      username: `user${n % 50}`,
    },
    ...{ ip: "10.0.0.1", ips: ["10.0.0.1"], headers: {}, useragent: "bench", keywords: [`t${n % 1000}`] },
    tag: { id: `t${n % 1000}`, title: `Tag ${n}`, notes: "x".repeat(100 + (n % 300)) },
  };
}
