import { useEffect } from "preact/hooks";
import { activeJobs } from "../../data/counts.ts";
import { usePage } from "../../data/live.ts";

/** A job that has ended appears without a reload. */
export function useFresh(reload: () => Promise<void>): void {
  const running = activeJobs.ids.value.length;
  useEffect(() => void reload(), [running]);
  usePage("Search", (cmd) => {
    if (cmd === "bulk_delete_completed") void reload();
  });
}
