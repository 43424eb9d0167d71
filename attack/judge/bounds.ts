/** What must hold after every run, and the sentence for each that does not. */
export interface Totals {
  readonly requests: number;
  readonly hangs: number;
  readonly crashes: readonly string[];
  /** Milliseconds of processor time of the longest piece, by who asked. */
  readonly strangersPieceMs: number;
  readonly anyonePieceMs: number;
  /** Bytes of resident memory over that of the idle server, at its worst. */
  readonly memoryOverIdle: number;
  readonly prototypesHarmed: boolean;
  readonly findings: number;
}

export const BOUNDS = { strangersPieceMs: 25, anyonePieceMs: 50, memoryOverIdle: 150e6 };

export function brokenBounds(totals: Totals): string[] {
  const { requests, hangs, crashes, strangersPieceMs, anyonePieceMs, memoryOverIdle, findings } = totals;
  const bounds: [boolean, string][] = [
    [requests === 0, "nothing was asked"],
    [crashes.length > 0, `${crashes.length} crashes`],
    [hangs > 0, `${hangs} requests without an answer`],
    [totals.prototypesHarmed, "built-in prototypes were changed"],
    [findings > 0, `${findings} findings`],
    [strangersPieceMs > BOUNDS.strangersPieceMs, `strangers held the loop for ${strangersPieceMs.toFixed(1)} ms`],
    [anyonePieceMs > BOUNDS.anyonePieceMs, `a caller held the loop for ${anyonePieceMs.toFixed(1)} ms`],
    [memoryOverIdle > BOUNDS.memoryOverIdle, `${(memoryOverIdle / 1e6).toFixed(0)} MB over the idle server`],
  ];
  return bounds.flatMap(([broken, sentence]) => (broken ? [sentence] : []));
}
