import { useLoad } from "../../data/calls/load.ts";
import { api } from "../../data/calls/session.ts";
import { usePolling } from "../../data/jobs/fresh-jobs.ts";
import { useLive } from "../../data/live.ts";
import { listedOne } from "../../data/records/lists.ts";
import { useLogged } from "../notices/data.ts";

/** Polling interval in seconds: silences begin and end without a live message. */
const EVERY_SEC = 60;

/** Silences that determine the state of open alerts, reloaded when alerts change. */
export function useSilences() {
  const loaded = useLoad("silences", (signal) => api.getSilences({}, { signal }));
  useLive("update", (lists: Record<string, unknown>) => {
    if ("activeAlerts" in lists) void loaded.reload();
  });
  useLogged(loaded.reload);
  usePolling(EVERY_SEC, loaded.reload);
  return loaded;
}

export const tagsOf = (alert: string): readonly string[] => listedOne("alerts", alert)?.tags ?? [];
