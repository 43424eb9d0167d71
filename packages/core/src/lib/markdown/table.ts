/** A Markdown table in the lines of a text, with its cells as written. */
export interface MarkdownTable {
  readonly header: readonly string[];
  /** No row is wider than the header. Short rows are not padded, since two letters could become a hundred cells. */
  readonly rows: readonly (readonly string[])[];
  /** Index of the first line after the table. */
  readonly next: number;
}

/** The table that starts at a line: one with bars, followed by a line with as many cells of hyphens. */
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

/** Cells of a line, in which `\|` is a literal bar; none for a line without bars. */
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
