import { AccessError } from "@signalbox/core/plugin";
import type { DashboardEngine } from "./options.ts";

/** Commands without a change that people would notice, and the commands that signing in needs. */
const HARMLESS: ReadonlySet<string> = new Set([
  "dash_stats",
  "search_stat_history",
  "admin_stats",
  "admin_search_logs",
  "user/login",
  "user/logout",
  "user/resume_session",
]);

/**
 * The same engine for a read-only mount. It checks the operation instead of the path: a path can be spelled in many
 * ways, and only the router knows all of them.
 */
export const readingEngine = (engine: DashboardEngine): DashboardEngine => ({
  ...engine,
  dispatch(call) {
    const isChange = engine.operations.get(call.operation)?.kind === "command" && !HARMLESS.has(call.operation);
    if (isChange) throw new AccessError("Nothing can be changed here: these pages only show.");
    return engine.dispatch(call);
  },
});
