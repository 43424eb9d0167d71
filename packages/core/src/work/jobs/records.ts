import { readable } from "../../ports/collection.ts";
import { activeJobCollection, jobCollection, jobLaunchCollection } from "./collection.ts";

/** Jobs that have not ended, for other domains to read. */
export const activeJobRecords = readable(activeJobCollection);

/** Jobs that have ended, for other domains to read. */
export const jobRecords = readable(jobCollection);

/** Launches by their idempotency key, for other domains to read. */
export const jobLaunchRecords = readable(jobLaunchCollection);
