/** One measured figure. `ratio` is relative to the anchor, which the name states after the slash. */
export interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** Processor time of the server for one call, in microseconds. */
  readonly cpuMicros?: number;
  readonly ratio?: number;
  /** The same ratio by processor time, as on an idle machine. */
  readonly byCpu?: number;
  /** The least ratio that passes. */
  readonly floor?: number;
  /** The ratio to reach eventually. */
  readonly goal?: number;
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
};

const formatNumber = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString("en-US") : String(Number(value.toPrecision(3)));

const formatRatio = (ratio: number | undefined): string => (ratio === undefined ? "" : `${formatNumber(ratio)}x`);

const verdictOf = ({ ratio, floor }: Row): string => {
  if (ratio === undefined || floor === undefined) return "";
  return ratio >= floor ? "pass" : "MISS";
};

const HEADINGS = ["benchmark", "median", "unit", "CPU µs", "ratio", "by CPU", "floor", "goal", "verdict"] as const;
const NUMERIC: ReadonlySet<number> = new Set([1, 3, 4, 5, 6, 7]);

const cellsOf = (row: Row): string[] => [
  row.name,
  formatNumber(row.value),
  row.unit,
  row.cpuMicros === undefined ? "" : formatNumber(row.cpuMicros),
  formatRatio(row.ratio),
  formatRatio(row.byCpu),
  formatRatio(row.floor),
  formatRatio(row.goal),
  verdictOf(row),
];

/** Prints the rows as a Markdown table that is also aligned for the terminal, and a line that summarises the floors. */
export const printReport = (rows: readonly Row[]): void => {
  const table = [[...HEADINGS], ...rows.map(cellsOf)];
  const widths = HEADINGS.map((_, column) => Math.max(...table.map((cells) => cells[column]?.length ?? 0)));
  const width = (column: number): number => widths[column] ?? 0;
  const pad = (cell: string, column: number): string =>
    NUMERIC.has(column) ? cell.padStart(width(column)) : cell.padEnd(width(column));
  const lines = table.map((cells) => `| ${cells.map(pad).join(" | ")} |`);
  const rule = widths.map((dashes, column) =>
    NUMERIC.has(column) ? `${"-".repeat(dashes - 1)}:` : "-".repeat(dashes),
  );
  lines.splice(1, 0, `| ${rule.join(" | ")} |`);
  const verdicts = rows.map(verdictOf).filter((verdict) => verdict !== "");
  const missed = verdicts.filter((verdict) => verdict === "MISS").length;
  console.log(`${lines.join("\n")}\n\n${verdicts.length - missed} of ${verdicts.length} floors reached.`);
};
