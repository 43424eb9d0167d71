export interface NodeEvents {
  /** A node that was silent for too long was buried by this one. */
  "node.buried": { id: string; host: string };
}
