import { readable } from "../../ports/storage/collection.ts";
import type { Storage } from "../../ports/storage/storage.ts";
import { activeJobCollection, jobCollection, jobLaunchCollection } from "./collection.ts";

/** Jobs that have not ended, for other domains to read. */
export const activeJobRecords = readable(activeJobCollection);

/** True = no job is active, which the storage knows without a query; false = there may be active jobs. */
export const hasNoActiveJobs = (storage: Pick<Storage, "isKnownEmpty">): boolean =>
  storage.isKnownEmpty?.(activeJobCollection) ?? false;

/** Jobs that have ended, for other domains to read. */
export const jobRecords = readable(jobCollection);

/** Launches by their idempotency key, for other domains to read. */
export const jobLaunchRecords = readable(jobLaunchCollection);
