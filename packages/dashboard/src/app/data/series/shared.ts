interface Kept<Answer> {
  readonly asked: number;
  readonly signal: AbortSignal;
  readonly answer: Promise<Answer>;
}

/**
 * Answers that several parts share for a while. A failed or aborted one is asked for again, even by a part that asks before the
 * rejection of an aborted request has arrived.
 */
export function createShared<Answer>({ ms, most }: { readonly ms: number; readonly most: number }, time = Date.now) {
  const known = new Map<string, Kept<Answer>>();
  return (key: string, signal: AbortSignal, ask: () => Promise<Answer>): Promise<Answer> => {
    const found = known.get(key);
    if (found && !found.signal.aborted && time() - found.asked < ms) return found.answer;
    if (known.size >= most) known.clear();
    const kept = { asked: time(), signal, answer: ask() };
    known.set(key, kept);
    kept.answer.catch(() => known.get(key) === kept && known.delete(key));
    return kept.answer;
  };
}
