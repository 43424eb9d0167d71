import type { Beats, NodeRow } from "./nodes.ts";

/** A message between nodes. Kept small: PostgreSQL refuses notifications over 8000 bytes. */
export interface NodeMessage {
  readonly type: string;
  readonly payload: unknown;
}

/** The time between an election and the moment when the office is lost or given up. */
export interface Term {
  /** Aborts when the term is over. */
  readonly lost: AbortSignal;
  /** Runs work whose transactions the storage refuses once another node was elected. */
  fenced<R>(work: () => Promise<R>): Promise<R>;
}

/** Coordination of engines on one database: they find each other, share offices and send messages. */
export interface Coordination {
  /** Unique per running process and storage. */
  readonly nodeId: string;
  /** True when other processes may write to the same storage. */
  readonly shared: boolean;
  /** The machine of this process, as far as the storage knows it. */
  readonly machine?: { readonly host: string; load(): number };
  /** Stores the row of a node and reads the others. Waits for no other work of the storage. */
  beat(row: NodeRow): Promise<Beats>;
  /** Sends a text to a node; resolves when it is on its way, not when it was read. Survives nothing. */
  post(node: string, text: string): Promise<void>;
  /** Hands over the texts for a node, each once and in the order of their sender. */
  collect(node: string, handler: (text: string) => void): Promise<Disposable>;
  /** Removes the row of a node that ends, or is dead. */
  forgetNode(id: string): Promise<void>;
  /**
   * Runs `hold` whenever this node leads `office`. Writes in `fenced` have effects in its term alone; anything else
   * must be safe under two leaders. `formerly` names the offices of the release before that this one replaces: nodes of
   * both releases stand beside each other during an update, and only one of them may lead.
   */
  lead(office: string, hold: (term: Term) => Promise<void>, formerly?: readonly string[]): Disposable;
  /** Node that leads an office, as this one has seen it last; undefined = none that it knows of. */
  leaderOf(office: string): string | undefined;
  /**
   * Takes a share of `most`, the limit of all nodes together in a minute (its number since the epoch); answers the size
   * of the share, 0 = all is taken. A statement of its own, in no transaction. Absent where no other node is.
   */
  takeShare?(share: { readonly minute: number; readonly most: number }): Promise<number>;
  /**
   * Sends a message to all other nodes, in no transaction. It survives nothing; one that must is published by its
   * cause.
   */
  tell(message: NodeMessage): Promise<void>;
  /**
   * Delivers messages that *other* nodes published or told. `onGap` is called when messages may have been missed (after
   * a reconnect); the subscriber then reads its data anew.
   */
  subscribe(handler: (message: NodeMessage) => void, onGap: () => void): Promise<Disposable>;
}
