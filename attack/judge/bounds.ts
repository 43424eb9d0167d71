/** Bounds on the totals of every run, and a sentence for each broken one. */
export interface Totals {
  readonly requests: number;
  readonly hangs: number;
  readonly crashes: readonly string[];
  /** Milliseconds of processor time of the longest piece of work, by callers. */
  readonly strangersPieceMs: number;
  readonly anyonePieceMs: number;
  /** Peak resident memory in bytes above that of the idle server. */
  readonly memoryOverIdle: number;
  readonly prototypesHarmed: boolean;
  readonly findings: number;
}

export interface Bounds {
  readonly strangersPieceMs: number;
  readonly anyonePieceMs: number;
  readonly memoryOverIdle: number;
}

export const BOUNDS: Bounds = { strangersPieceMs: 25, anyonePieceMs: 50, memoryOverIdle: 150e6 };
/**
 * Bounds of the short form, which runs in parallel with other tests: half a core and shared caches increase processor time too,
 * and a server that has hardly worked yet has a small young generation.
 */
const SHORT_BOUNDS: Bounds = { strangersPieceMs: 60, anyonePieceMs: 120, memoryOverIdle: 300e6 };
/** The bounds scale with a machine that is up to four times as slow; anything beyond is not the machine's fault. */
const SLOWEST = 4;

/** The bounds of the short form on a machine whose memory is this many times as slow as usual: texts of 16 MB are copied. */
export function shortBounds(slowness: number): Bounds {
  const times = Math.min(SLOWEST, Math.max(1, slowness));
  const { strangersPieceMs, anyonePieceMs, memoryOverIdle } = SHORT_BOUNDS;
  return { strangersPieceMs: strangersPieceMs * times, anyonePieceMs: anyonePieceMs * times, memoryOverIdle };
}

export function brokenBounds(totals: Totals, bounds: Bounds = BOUNDS): string[] {
  const { requests, hangs, crashes, strangersPieceMs, anyonePieceMs, memoryOverIdle, findings } = totals;
  const judged: [boolean, string][] = [
    [requests === 0, "nothing was asked"],
    [crashes.length > 0, `${crashes.length} crashes`],
    [hangs > 0, `${hangs} requests without an answer`],
    [totals.prototypesHarmed, "built-in prototypes were changed"],
    [findings > 0, `${findings} findings`],
    [strangersPieceMs > bounds.strangersPieceMs, `strangers held the loop for ${strangersPieceMs.toFixed(1)} ms`],
    [anyonePieceMs > bounds.anyonePieceMs, `a caller held the loop for ${anyonePieceMs.toFixed(1)} ms`],
    [memoryOverIdle > bounds.memoryOverIdle, `${(memoryOverIdle / 1e6).toFixed(0)} MB over the idle server`],
  ];
  return judged.flatMap(([broken, sentence]) => (broken ? [sentence] : []));
}
