export interface GroupEvents {
  /** A group was created, changed or deleted. */
  "group.changed": { id: string };
}
