/** Values of all servers in the order of the answer, by quick monitor; null without a reading. */
export type Columns = Readonly<Record<string, readonly (number | null)[]>>;

/** Content of a cell. */
export interface Shown {
  /** In whole percent, or in hundredths of a load. */
  readonly value: number;
  /** Filled part of the bar, from 0 to 1. */
  readonly share: number;
  readonly tone: "line" | "warn" | "crit";
}

/** Rounds as numbers are written, so that equal texts come from equal numbers. */
const rounded = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits;

const toneOf = (share: number): Shown["tone"] => (share >= 0.95 ? "crit" : share >= 0.85 ? "warn" : "line");

/** A share from 0 to 1 that is written in percent. */
export const inPercent = (share: number): Shown => {
  const percent = rounded(share * 100, 0);
  return { value: percent, share: Math.min(1, percent / 100), tone: toneOf(share) };
};

/** A load average beside the cores that it may fill. */
export const asLoad = (load: number, cores: number): Shown => ({
  ...{ value: rounded(load, 2), share: Math.min(1, rounded(load / cores, 2)), tone: toneOf(load / cores) },
});

/** The elements of a cell that are written into. */
export interface Face {
  readonly cell: { className: string };
  readonly bar: { readonly style: { transform: string } };
  readonly text: { data: string };
}

/** The cell of a server without a reading, as it is drawn first. */
export function clear(face: Face): void {
  face.cell.className = "t-line";
  face.bar.style.transform = "";
  face.text.data = "–";
}

/**
 * Writes the content of a cell where it differs from the one before: 500 servers change every other second, and each touched
 * element is styled and laid out anew. Gives the new content.
 */
export function write(face: Face, next: Shown, before: Shown | undefined, say: (value: number) => string): Shown {
  if (before?.tone !== next.tone) face.cell.className = `t-${next.tone}`;
  if (before?.share !== next.share) face.bar.style.transform = `scaleX(${next.share})`;
  if (before?.value !== next.value) face.text.data = say(next.value);
  return next;
}
