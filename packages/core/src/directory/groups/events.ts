import type { Group } from "./model.ts";

export interface GroupEvents {
  /** A group was created, changed or deleted. The payload is the record as it is now, or as it was before its deletion. */
  "group.changed": Group;
}
