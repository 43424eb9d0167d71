export type NodeState = "up" | "draining";

/** State of a node, as it stores it with each beat. */
export interface NodeRow {
  /** New at each start. */
  readonly id: string;
  /** Name of its machine, by which satellites and people reach it. */
  readonly host: string;
  readonly version: string;
  /** Version of the messages between nodes; 0 = a node that only beats. */
  readonly protocol: number;
  /** Unix seconds. */
  readonly started: number;
  readonly state: NodeState;
  readonly satellites: number;
  readonly jobs: number;
  /** Load of its machine in the last minute; 0 where it is not known. */
  readonly load: number;
  /** Delay of its last timer. */
  readonly lagMs: number;
}

/** A row as it is stored; `beat` is another number after each beat. */
export interface StoredNode extends NodeRow {
  readonly beat: number;
}

export interface Beats {
  /** False when this node had no row: it is new, or others took it for dead. */
  readonly wasKnown: boolean;
  /** Rows of the other nodes. */
  readonly others: readonly StoredNode[];
  /** Unix milliseconds of the one clock that all nodes ask. */
  readonly nowMs: number;
}
