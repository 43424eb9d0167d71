import { AccessError } from "@signalbox/core/plugin";
import type { DashboardEngine } from "./options.ts";

/** Commands by their kind that change nothing that anybody could miss, and what signing in needs. */
const HARMLESS: ReadonlySet<string> = new Set([
  "dash_stats",
  "search_stat_history",
  "admin_stats",
  "user/login",
  "user/logout",
  "user/resume_session",
]);

/**
 * The same engine for pages that only show. It judges the operation that is called, whatever its path looked like: paths
 * have many spellings, and the router alone knows all of them.
 */
export const readingEngine = (engine: DashboardEngine): DashboardEngine => ({
  ...engine,
  dispatch(call) {
    const isChange = engine.operations.get(call.operation)?.kind === "command" && !HARMLESS.has(call.operation);
    if (isChange) throw new AccessError("Nothing can be changed here: these pages only show.");
    return engine.dispatch(call);
  },
});
