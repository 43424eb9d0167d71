import { useFreshJobs } from "../../data/jobs/fresh-jobs.ts";
import { usePage } from "../../data/live.ts";

/** A job that has ended appears without a reload, and one that was deleted with many others goes. */
export function useFresh(reload: () => Promise<void>): void {
  useFreshJobs(reload);
  usePage("Search", (cmd) => {
    if (cmd === "bulk_delete_completed") void reload();
  });
}
