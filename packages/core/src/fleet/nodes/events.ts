export interface NodeEvents {
  /** This node has declared another one dead after it was silent for too long. */
  "node.buried": { id: string; host: string };
}
