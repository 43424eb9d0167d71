import { newStamps } from "../../../wire/stamps.ts";
import type { Group } from "../model.ts";

/** What a fresh store holds (docs/contract/servers.md#automatic): an ordinary group that every hostname matches. */
export function defaultGroups(now: number): Group[] {
  const main = { id: "main", title: "Main Group", hostname_match: ".+", alert_actions: [], sort_order: 0 };
  return [{ ...main, ...newStamps("admin", now) }];
}
