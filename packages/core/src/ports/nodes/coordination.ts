import type { Beats, NodeRow } from "./nodes.ts";

/** A message between nodes. Kept small: PostgreSQL refuses notifications over 8000 bytes. */
export interface NodeMessage {
  readonly type: string;
  readonly payload: unknown;
}

/** The time from an election until the office is lost or given up. */
export interface Term {
  /** Aborts when the term is over. */
  readonly lost: AbortSignal;
  /** Runs work whose transactions the storage refuses once another node has been elected. */
  fenced<R>(work: () => Promise<R>): Promise<R>;
}

/** Coordinates engines on one database: they find each other, share offices and send messages. */
export interface Coordination {
  /** Unique per running process and storage. */
  readonly nodeId: string;
  /** True when other processes may write to the same storage. */
  readonly shared: boolean;
  /** The machine of this process, if the storage knows it. */
  readonly machine?: { readonly host: string; load(): number };
  /** Stores this node's row and reads the rows of the other nodes. Waits for no other work of the storage. */
  beat(row: NodeRow): Promise<Beats>;
  /** Sends a text to a node; resolves when it is under way, not when it was read. Texts survive no crash. */
  post(node: string, text: string): Promise<void>;
  /** Delivers the texts for a node, each once and in the order of their sender. */
  collect(node: string, handler: (text: string) => void): Promise<Disposable>;
  /** Removes the row of a node that is stopping or dead. */
  forgetNode(id: string): Promise<void>;
  /**
   * Runs `hold` whenever this node leads `office`. Writes in `fenced` take effect only in its term; anything else must be safe
   * under two leaders. `formerly` names the offices of the previous release that this one replaces: during an update nodes of
   * both releases run side by side, and only one of them may lead.
   */
  lead(office: string, hold: (term: Term) => Promise<void>, formerly?: readonly string[]): Disposable;
  /** The node that leads an office, as this node last saw it; undefined = none known. */
  leaderOf(office: string): string | undefined;
  /**
   * Takes a share of `most`, the limit of all nodes together in a minute (its number since the epoch); resolves to the size of
   * the share, 0 = the limit is used up. Runs as its own statement, in no transaction. Absent where there are no other nodes.
   */
  takeShare?(share: { readonly minute: number; readonly most: number }): Promise<number>;
  /**
   * Sends a message to all other nodes, in no transaction. It survives no crash; a message that must survive is published with
   * the change that causes it, and may arrive later than one that was told after it.
   */
  tell(message: NodeMessage): Promise<void>;
  /**
   * Delivers messages that *other* nodes published or told. Calls `onGap` when messages may have been missed (after a reconnect);
   * the subscriber then reads its data again.
   */
  subscribe(handler: (message: NodeMessage) => void, onGap: () => void): Promise<Disposable>;
}
