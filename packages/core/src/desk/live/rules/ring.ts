import type { Change } from "../model.ts";

export interface Numbered {
  readonly seq: number;
  readonly change: Change;
}

/** The last changes, for subscribers that reconnect. */
export interface Ring {
  /** Number of the newest change. */
  readonly seq: number;
  add(change: Change): Numbered;
  /** Changes after `seq`; undefined if some were evicted, or `seq` was never assigned. */
  after(seq: number): readonly Numbered[] | undefined;
  /** Drops all changes, so that no earlier position can be resumed. */
  clear(): void;
}

export function createRing(size: number): Ring {
  let kept: Numbered[] = [];
  let seq = 0;
  let oldest = 1;
  return {
    get seq() {
      return seq;
    },
    add(change) {
      const numbered = { seq: ++seq, change };
      kept.push(numbered);
      // Trimmed only at twice the size, so that most additions copy nothing.
      if (kept.length >= 2 * size) kept = kept.slice(-size);
      oldest = Math.max(oldest, seq - size + 1);
      return numbered;
    },
    after: (from) =>
      from > seq || from + 1 < oldest ? undefined : kept.slice(kept.length - Math.min(kept.length, seq - from)),
    clear() {
      kept = [];
      seq += 1;
      oldest = seq + 1;
    },
  };
}
