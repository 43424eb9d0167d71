import { DatabaseSync } from "node:sqlite";
import { pgStorage } from "@signalbox/storage-pg";
import { sqliteStorage } from "@signalbox/storage-sqlite";
import { openRemains } from "../evidence.ts";
import type { EndedJob } from "./judge.ts";

interface ActiveJob {
  readonly id: string;
  readonly job: { readonly event: string; readonly state: string };
}

export interface Remains {
  readonly jobs: readonly EndedJob[];
  /** Jobs that never ended. */
  readonly active: readonly ActiveJob[];
  readonly history: ReadonlyMap<string, number>;
  readonly faults: readonly string[];
}

export async function inspectSqlite(filename: string): Promise<Remains> {
  const database = new DatabaseSync(filename);
  const found = database.prepare("pragma integrity_check").all();
  database.close();
  const remains = await inspect(sqliteStorage({ filename }));
  const broken = found.map((row) => String(row["integrity_check"])).filter((text) => text !== "ok");
  return { ...remains, faults: [...broken, ...remains.faults] };
}

export const inspectPg = (connectionString: string): Promise<Remains> => inspect(pgStorage({ connectionString }));

/** Compares every index with a rebuild from the documents, and reads all jobs. */
const inspect = (storage: ReturnType<typeof sqliteStorage>): Promise<Remains> =>
  openRemains(storage, "only for the crash test", async (readAll) => {
    const differences = await storage.verifyIndexes();
    const counted = await readAll<{ readonly id: string; readonly total_count: number }>("event_history");
    return {
      jobs: await readAll<EndedJob>("jobs"),
      active: await readAll<ActiveJob>("active_jobs"),
      history: new Map(counted.map(({ id, total_count }) => [id, total_count])),
      faults: differences.map((each) => JSON.stringify(each)),
    };
  });
