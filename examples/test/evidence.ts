import { readFile } from "node:fs/promises";
import { createSignalbox } from "@signalbox/core";
import { everything, type StoredRecord } from "@signalbox/core/plugin";
import type { Storage } from "@signalbox/core/storage";

/** Number of runs by job, from a file to which every run appends its job's id. */
export async function readRuns(path: string): Promise<ReadonlyMap<string, number>> {
  const runs = new Map<string, number>();
  for (const id of (await readFile(path, "utf8")).split("\n")) if (id !== "") runs.set(id, (runs.get(id) ?? 0) + 1);
  return runs;
}

/** Reads every record of a collection by its name. */
export type ReadAll = <T>(collection: string) => Promise<readonly T[]>;

/** Opens the storage that killed servers left, while `look` runs. */
export async function openRemains<R>(
  storage: Storage,
  secretKey: string,
  look: (readAll: ReadAll) => Promise<R>,
): Promise<R> {
  const signalbox = createSignalbox({ storage, secretKey });
  await signalbox.start();
  try {
    return await look(async <T>(name: string) => {
      const collection = signalbox.collections.find((each) => each.name === name);
      if (!collection) throw new Error(`There is no collection ${name}`);
      const { rows } = await storage.read((tx) => tx.collection<StoredRecord>(collection).find(everything));
      return rows as unknown as T[];
    });
  } finally {
    await signalbox.stop();
  }
}
