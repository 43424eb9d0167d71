/** Messages between the attacker and the watch inside the attacked server. */
export interface Figures {
  /** Milliseconds of processor time of the longest piece of work between two turns of the event loop. */
  readonly longestPieceMs: number;
  /** Milliseconds of elapsed time; on a busy machine longer than the piece, which is no fault. */
  readonly longestWaitMs: number;
  /** The longest garbage collection pause, which is part of some piece. */
  readonly longestPauseMs: number;
  /** Milliseconds of processor time of the main thread since its start. */
  readonly cpuMs: number;
  /** Bytes. */
  readonly rss: number;
  readonly heap: number;
  readonly worstRss: number;
  readonly worstHeap: number;
  readonly sockets: number;
  readonly prototypesHarmed: boolean;
}

export type Order =
  | { readonly kind: "figures"; readonly n: number; readonly reset: boolean }
  | { readonly kind: "pragma"; readonly n: number; readonly text: string };

export interface Piece {
  readonly kind: "piece";
  readonly ms: number;
}

export type Told =
  | Piece
  | { readonly kind: "exception"; readonly text: string }
  | { readonly kind: "figures"; readonly n: number; readonly figures: Figures }
  | { readonly kind: "done"; readonly n: number; readonly error: string | undefined };
