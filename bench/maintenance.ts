import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSignalbox } from "@signalbox/core";
import { definePlugin } from "@signalbox/core/plugin";
import type { CollectionDefinition } from "@signalbox/core/storage";
import { sqliteStorage } from "@signalbox/storage-sqlite";
import { watchPieces } from "./pieces.ts";

/**
 * The daily maintenance of a store with a million old rows of the activity log: how long it takes, and how long one turn of the
 * loop is, as processor time, which says the same on a busy machine. SQLite in a file. `SIGNALBOX_BENCH_ROWS` changes the number.
 */
const ROWS = Number(process.env["SIGNALBOX_BENCH_ROWS"] ?? 1_000_000);
const GOAL_MS = 10;
const KEPT = 1000;
const BATCH = 2000;

interface Row {
  id: string;
  readonly [member: string]: unknown;
}

const folder = mkdtempSync(join(tmpdir(), "signalbox-maintenance-"));
const storage = sqliteStorage({ filename: join(folder, "bench.db") });
let collection: CollectionDefinition<Row> | undefined;
const look = definePlugin({
  id: "bench.look",
  start: async ({ registry }) => {
    collection = registry.searchTables.get("activity")?.collection;
  },
});
const engine = createSignalbox({
  ...{ storage, secretKey: "a key for this benchmark", plugins: [look] },
  config: { db_maint: { activity: { max_rows: KEPT } } },
});
await engine.start();
// Nothing of an engine alone keeps a process alive.
const alive = setInterval(() => undefined, 60_000);
try {
  await fill();
  globalThis.gc?.();
  using pieces = watchPieces();
  const ended = Promise.withResolvers<string>();
  engine.events.on("internal_job.ended", ({ outcome }) => ended.resolve(outcome));
  const began = performance.now();
  await engine.api.adminRunMaintenance();
  const outcome = await ended.promise;
  const seconds = (performance.now() - began) / 1000;
  const { list } = await engine.api.searchActivity({ limit: 1 });
  const { p50, p99, longest, above, count, longestCollection } = await pieces.report(GOAL_MS);
  const ms = (value: number): string => `${value.toFixed(1)} ms`;
  console.log(
    `${outcome}: ${ROWS} rows, ${list.length} left, in ${seconds.toFixed(1)} s; a turn of the loop takes p50 ${ms(p50)}, ` +
      `p99 ${ms(p99)}, longest ${ms(longest)} of processor time, ${above} of ${count} above ${GOAL_MS} ms; ` +
      `longest collection ${ms(longestCollection)}`,
  );
  if (outcome !== "done" || list.length > KEPT + 10 || p99 >= GOAL_MS) process.exitCode = 1;
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
