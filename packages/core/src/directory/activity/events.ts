export interface ActivityEvents {
  /** A row was written; not told of what a transaction of the host contains. */
  "activity.logged": { id: string; action: string };
}
