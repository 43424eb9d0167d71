/** Values of all servers by quick monitor, in the order of the answer's `servers`. Null means no reading. */
export type Columns = Readonly<Record<string, readonly (number | null)[]>>;

/** What a cell shows. */
export interface Shown {
  /** Whole percent, or a load average with two decimals. */
  readonly value: number;
  /** Filled part of the bar, 0 to 1. */
  readonly share: number;
  readonly tone: "line" | "warn" | "crit";
}

/** Rounds to the displayed precision, so that equal texts have equal numbers and are not written again. */
const rounded = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits;

const toneOf = (share: number): Shown["tone"] => (share >= 0.95 ? "crit" : share >= 0.85 ? "warn" : "line");

/** Content for a share (0 to 1) displayed in percent. */
export const inPercent = (share: number): Shown => {
  const percent = rounded(share * 100, 0);
  return { value: percent, share: Math.min(1, percent / 100), tone: toneOf(share) };
};

/** Content for a load average, relative to the number of cores. */
export const asLoad = (load: number, cores: number): Shown => ({
  value: rounded(load, 2),
  share: Math.min(1, rounded(load / cores, 2)),
  tone: toneOf(load / cores),
});

/** The parts of a cell that change. */
export interface Face {
  readonly cell: { className: string };
  readonly bar: { readonly style: { transform: string } };
  readonly text: { data: string };
}

/** Resets a cell to its first state: no reading. */
export function clear(face: Face): void {
  face.cell.className = "t-line";
  face.bar.style.transform = "";
  face.text.data = "–";
}

/**
 * Writes only what differs from the cell's previous content: 500 servers change every two seconds, and the browser
 * restyles and lays out each element that is touched. Returns the new content.
 */
export function write(face: Face, next: Shown, before: Shown | undefined, say: (value: number) => string): Shown {
  if (before?.tone !== next.tone) face.cell.className = `t-${next.tone}`;
  if (before?.share !== next.share) face.bar.style.transform = `scaleX(${next.share})`;
  if (before?.value !== next.value) face.text.data = say(next.value);
  return next;
}
