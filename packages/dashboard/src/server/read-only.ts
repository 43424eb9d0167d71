import type { AnyOperation } from "@signalbox/core/plugin";

/** Commands by their kind that change nothing that anybody could miss, and what signing in needs. */
const HARMLESS: ReadonlySet<string> = new Set([
  "dash_stats",
  "search_stat_history",
  "admin_stats",
  "user/login",
  "user/logout",
  "user/resume_session",
]);

/** True for what may be called where nothing may be changed. */
export function isReading(path: string, operations: ReadonlyMap<string, AnyOperation>): boolean {
  const [, space = "", name = ""] = /^api\/+(\w+)\/+(\w+)/.exec(path) ?? [];
  const key = space === "app" ? name : `${space}/${name}`;
  const operation = operations.get(key);
  // The router says what there is not.
  return operation === undefined || operation.kind !== "command" || HARMLESS.has(key);
}
