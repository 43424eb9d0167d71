import type { Group } from "./model.ts";

export interface GroupEvents {
  /** A group was created, changed or deleted: the record as it is now, or was at last. */
  "group.changed": Group;
}
