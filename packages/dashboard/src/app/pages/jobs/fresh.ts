import { useFreshJobs } from "../../data/jobs/fresh-jobs.ts";
import { usePage } from "../../data/live.ts";

/** Reloads when a job ends, and when jobs are deleted in bulk. */
export function useFresh(reload: () => Promise<void>): void {
  useFreshJobs(reload);
  usePage("Search", (cmd) => {
    if (cmd === "bulk_delete_completed") void reload();
  });
}
