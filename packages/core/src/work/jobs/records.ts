import { pagesById } from "../../kernel/searches/pages-by-id.ts";
import { nextTurn } from "../../lib/turns/gather-more.ts";
import { readable } from "../../ports/storage/collection.ts";
import type { ReadTx, Storage } from "../../ports/storage/storage.ts";
import { activeJobCollection, jobCollection, jobLaunchCollection } from "./collection.ts";
import type { ActiveJob } from "./model.ts";

/** Jobs that have not ended, for other domains to read. */
export const activeJobRecords = readable(activeJobCollection);

const PAGE = 250;

/** All active jobs by id, in pages with a turn of the loop after each: a long line may hold thousands of them. */
export async function listActive(tx: ReadTx): Promise<readonly ActiveJob[]> {
  const all: ActiveJob[] = [];
  for await (const rows of pagesById((work) => work(tx), activeJobCollection, { size: PAGE })) {
    all.push(...rows);
    if (rows.length === PAGE) await nextTurn();
  }
  return all;
}

/** True = no job is active, which the storage knows without a query; false = there may be active jobs. */
export const hasNoActiveJobs = (storage: Pick<Storage, "isKnownEmpty">): boolean =>
  storage.isKnownEmpty?.(activeJobCollection) ?? false;

/** The same for storages that have to ask; false = there may be active jobs. */
export const findsNoActiveJobs = async (storage: Pick<Storage, "isEmpty" | "isKnownEmpty">): Promise<boolean> =>
  hasNoActiveJobs(storage) || (await storage.isEmpty?.(activeJobCollection)) === true;

/** Jobs that have ended, for other domains to read. */
export const jobRecords = readable(jobCollection);

/** Launches by their idempotency key, for other domains to read. */
export const jobLaunchRecords = readable(jobLaunchCollection);
