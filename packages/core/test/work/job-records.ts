import type { Storage } from "../../src/ports/storage/storage.ts";
import { activeJobCollection, jobCollection } from "../../src/work/jobs/collection.ts";
import type { ActiveJob, FinalJob } from "../../src/work/jobs/model.ts";

type Members = Record<string, unknown>;

/** Writes job records directly into the store, as if they had been launched long ago. */
export const jobRecords = (storage: Storage) => ({
  active: (id: string, members: Members = {}, details: Members = {}) =>
    storage.write((tx) =>
      tx.collection(activeJobCollection).insert({
        id,
        launched: 1,
        job: { id, event: "e1", category: "general", targets: ["main"], state: "active", started: 1, ...members },
        details: { activity: [], ...details },
      } as unknown as ActiveJob),
    ),
  final: (id: string, members: Members = {}) =>
    storage.write((tx) =>
      tx.collection(jobCollection).insert({
        ...{ id, event: "e1", category: "general", targets: ["main"], state: "complete", started: 1, final: true },
        ...members,
      } as FinalJob),
    ),
});
