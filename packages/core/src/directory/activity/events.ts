export interface ActivityEvents {
  /** A row was written; not emitted for rows in a transaction of the host. */
  "activity.logged": { id: string; action: string };
}
