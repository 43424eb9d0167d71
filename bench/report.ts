/** One measured figure. `ratio` is against the anchor named in `name`; `target` is the least ratio wanted. */
export interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly ratio?: number;
  readonly target?: number;
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
};

const formatNumber = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString("en-US") : String(Number(value.toPrecision(3)));

const verdict = ({ ratio, target }: Row): string => {
  if (ratio === undefined || target === undefined) return "";
  return ratio >= target ? "met" : "MISSED";
};

const headings = ["benchmark", "median", "unit", "ratio", "target", ""] as const;

const cellsOf = (row: Row): string[] => [
  row.name,
  formatNumber(row.value),
  row.unit,
  row.ratio === undefined ? "" : `${formatNumber(row.ratio)}x`,
  row.target === undefined ? "" : `${formatNumber(row.target)}x`,
  verdict(row),
];

const isNumeric = (column: number): boolean => column === 1 || column === 3 || column === 4;

/** Prints the rows as an aligned table, numbers to the right. */
export const printReport = (title: string, rows: readonly Row[]): void => {
  const table = [[...headings], ...rows.map(cellsOf)];
  const widths = headings.map((_, column) => Math.max(...table.map((cells) => cells[column]?.length ?? 0)));
  const lines = table.map((cells) =>
    cells
      .map((cell, column) =>
        isNumeric(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd(),
  );
  lines.splice(1, 0, widths.map((width) => "-".repeat(width)).join("  "));
  console.log(`\n${title}\n\n${lines.join("\n")}\n`);
};
