import type { Snapshot } from "./model.ts";

export interface SnapshotEvents {
  /** The light half, as lists show it; readers of the rest ask `get_snapshot`. */
  "snapshot.created": Snapshot;
}
