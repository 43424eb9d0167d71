/** Unix seconds; the end is exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export const lengthOf = ({ from, to }: Span): number => Math.max(0, to - from);

export const isWithin = (spans: readonly Span[], at: number): boolean =>
  spans.some(({ from, to }) => at >= from && at < to);

const meet = (a: Span, b: Span): Span => ({ from: Math.max(a.from, b.from), to: Math.min(a.to, b.to) });

export const overlap = (a: readonly Span[], b: readonly Span[]): Span[] =>
  a.flatMap((one) => b.map((other) => meet(one, other))).filter((span) => lengthOf(span) > 0);

/** What remains of a span after the cuts. */
export function without(whole: Span, cut: readonly Span[]): Span[] {
  let rest: Span[] = [whole];
  for (const { from, to } of cut)
    rest = rest
      .flatMap((span) => [
        { from: span.from, to: Math.min(span.to, from) },
        { from: Math.max(span.from, to), to: span.to },
      ])
      .filter((span) => lengthOf(span) > 0);
  return rest;
}
