import { useLoad } from "../../data/calls/load.ts";
import { api } from "../../data/calls/session.ts";
import { useLive } from "../../data/live.ts";
import { listedOne } from "../../data/records/lists.ts";

/** Silences that say how open alerts stand; asked anew with each change of an alert. */
export function useSilences() {
  const loaded = useLoad("silences", (signal) => api.getSilences({}, { signal }));
  useLive("update", (lists: Record<string, unknown>) => {
    if ("activeAlerts" in lists || "silences" in lists) void loaded.reload();
  });
  useLive("back", loaded.reload);
  return loaded;
}

export const tagsOf = (alert: string): readonly string[] => listedOne("alerts", alert)?.tags ?? [];
