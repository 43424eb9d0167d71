/** A message between nodes. Kept small: PostgreSQL refuses notifications over 8000 bytes. */
export interface NodeMessage {
  readonly type: string;
  readonly payload: unknown;
}

/** How engines on one database find each other, share offices and send messages. */
export interface Coordination {
  /** Unique per running process and storage. */
  readonly nodeId: string;
  /** True when other processes may write to the same storage. */
  readonly shared: boolean;
  /**
   * Runs `hold` whenever this node leads `office`; its signal aborts when the office is lost or the candidate withdraws.
   * Leadership is an economy, not a guarantee: whatever runs under it must be safe under two leaders.
   */
  lead(office: string, hold: (lost: AbortSignal) => Promise<void>): Disposable;
  /**
   * Delivers messages that *other* nodes published. `onGap` is called when messages may have been missed (after a
   * reconnect); the subscriber then reads its data anew.
   */
  subscribe(handler: (message: NodeMessage) => void, onGap: () => void): Promise<Disposable>;
}
