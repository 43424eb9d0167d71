export type NodeState = "up" | "draining";

/** State of a node, stored with each beat. */
export interface NodeRow {
  /** New at each start. */
  readonly id: string;
  /** Name of its machine, by which satellites and people reach the node. */
  readonly host: string;
  readonly version: string;
  /** Version of the messages between nodes; 0 = a node that only beats. */
  readonly protocol: number;
  /** Unix seconds. */
  readonly started: number;
  readonly state: NodeState;
  readonly satellites: number;
  readonly jobs: number;
  /** Load of its machine over the last minute; 0 where unknown. */
  readonly load: number;
  /** Delay of its last timer, in milliseconds. */
  readonly lagMs: number;
}

/** A row as stored; `beat` changes with each beat. */
export interface StoredNode extends NodeRow {
  readonly beat: number;
}

export interface Beats {
  /** False when this node had no row: it is new, or others believed it dead. */
  readonly wasKnown: boolean;
  /** Rows of the other nodes. */
  readonly others: readonly StoredNode[];
  /** Unix milliseconds of the one clock that all nodes share. */
  readonly nowMs: number;
}
