import { newStamps } from "../../../wire/fields/stamps.ts";
import type { Group } from "../model.ts";

/** The group of a new installation (docs/contract/servers.md#automatic): an ordinary one that matches every hostname. */
export function defaultGroups(now: number): Group[] {
  const main = { id: "main", title: "Main Group", hostname_match: ".+", alert_actions: [], sort_order: 0 };
  return [{ ...main, ...newStamps("admin", now) }];
}
