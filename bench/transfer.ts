import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createSignalbox } from "@signalbox/core";
import { sqliteStorage } from "@signalbox/storage-sqlite";
import { activityRows } from "./activity-rows.ts";

/**
 * A backup of a million rows of the activity log: its time, its memory beyond an idle engine's, and the longest time that it
 * blocks the event loop. SQLite in a file. `SIGNALBOX_BENCH_ROWS` changes the number.
 */
const ROWS = Number(process.env["SIGNALBOX_BENCH_ROWS"] ?? 1_000_000);
const GOAL_MB = 100;

const folder = mkdtempSync(join(tmpdir(), "signalbox-transfer-"));
const storage = sqliteStorage({ filename: join(folder, "bench.db") });
const log = activityRows(storage);
const engine = createSignalbox({ storage, secretKey: "a key for this benchmark", plugins: [log.look] });
await engine.start();
// An engine alone does not keep a process alive.
const alive = setInterval(() => undefined, 60_000);
try {
  await log.fill(ROWS);
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
