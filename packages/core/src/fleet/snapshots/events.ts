export interface SnapshotEvents {
  "snapshot.created": { id: string };
}
