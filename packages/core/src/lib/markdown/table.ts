/** A table of Markdown in the lines of a text, with its cells as they are written. */
export interface MarkdownTable {
  readonly header: readonly string[];
  /** None is wider than the header. A short one is not filled up, since two letters could become a hundred cells. */
  readonly rows: readonly (readonly string[])[];
  /** Index of the first line behind it. */
  readonly next: number;
}

/** The table that begins at a line: one with bars, and below it as many cells of hyphens. */
export function tableAt(lines: readonly string[], at: number): MarkdownTable | undefined {
  const header = cellsOf(lines[at]);
  const marks = header.length > 0 ? cellsOf(lines[at + 1]) : [];
  if (header.length === 0 || marks.length !== header.length) return undefined;
  if (!marks.every((mark) => /^:?-+:?$/.test(mark))) return undefined;
  const rows: string[][] = [];
  for (let next = at + 2; ; next += 1) {
    const cells = cellsOf(lines[next]);
    if (cells.length === 0) return { header, rows, next };
    rows.push(cells.slice(0, header.length));
  }
}

/** Cells of a line, in which `\|` is a bar of the text; none of a line without bars. */
function cellsOf(line = ""): string[] {
  if (!line.includes("|")) return [];
  const parts = [""];
  for (const [piece] of line.trim().matchAll(/\\.|[^\\|]+|[\\|]/gs)) {
    if (piece === "|") parts.push("");
    else parts[parts.length - 1] += piece === "\\|" ? "|" : piece;
  }
  const cells = parts.map((part) => part.trim());
  if (cells[0] === "") cells.shift();
  if (cells.at(-1) === "") cells.pop();
  return cells;
}
