import type { Snapshot } from "./model.ts";

export interface SnapshotEvents {
  /** The light half, as lists show it; for the rest call `get_snapshot`. */
  "snapshot.created": Snapshot;
}
