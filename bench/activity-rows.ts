import { definePlugin } from "@signalbox/core/plugin";
import type { CollectionDefinition, Storage } from "@signalbox/core/storage";

interface Row {
  id: string;
  readonly [member: string]: unknown;
}

const BATCH = 2000;

/** Old rows for the activity log: the plugin `look` finds the log's collection, and `fill` stores as many rows as asked for. */
export function activityRows(storage: Storage) {
  let collection: CollectionDefinition<Row> | undefined;
  return {
    look: definePlugin({
      id: "bench.look",
      start: async ({ registry }) => {
        collection = registry.searchTables.get("activity")?.collection;
      },
    }),
    async fill(count: number): Promise<void> {
      for (let first = 0; first < count; first += BATCH) {
        if (!collection) throw new Error("There is no activity log");
        const target = collection;
        const rows = Array.from({ length: Math.min(BATCH, count - first) }, (_, n) => rowOf(first + n));
        await storage.write((tx) => tx.collection(target).insertMany(rows));
      }
    },
  };
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
