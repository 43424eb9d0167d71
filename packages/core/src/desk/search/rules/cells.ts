import { textOf } from "../../../lib/text/text-of.ts";
import { memberAt } from "../../../work/jobs/rules/filters.ts";

type Members = Readonly<Record<string, unknown>>;

export const FORMATS = ["csv", "tsv", "ndjson"] as const;
export type Format = (typeof FORMATS)[number];

export const CONTENT_TYPES: Readonly<Record<Format, string>> = {
  csv: "text/csv; charset=utf-8",
  tsv: "text/tab-separated-values; charset=utf-8",
  ndjson: "application/x-ndjson; charset=utf-8",
};

/** Spreadsheets read text as UTF-8 when it begins with this. */
const BYTE_ORDER_MARK = "\ufeff";

/** What precedes the rows: for tables, the names of the columns (docs/contract/search.md#export). */
export const headOf = (format: Format, columns: readonly string[]): string =>
  format === "ndjson" ? "" : `${BYTE_ORDER_MARK}${lineOf(format, columns)}`;

/** One record as a line; a column may be a path: `input.files`. */
export function rowOf(format: Format, columns: readonly string[], record: Members): string {
  if (format !== "ndjson")
    return lineOf(
      format,
      columns.map((column) => memberAt(record, column)),
    );
  const members = columns.map((column) => [column, memberAt(record, column) ?? null] as const);
  return `${JSON.stringify(Object.fromEntries(members))}\n`;
}

const lineOf = (format: Format, values: readonly unknown[]): string =>
  `${values.map((value) => cellOf(format, cellText(value))).join(format === "csv" ? "," : "\t")}\n`;

/** Replaces line breaks with spaces, and quotes text that a spreadsheet would take for a formula. */
function cellOf(format: Format, text: string): string {
  const flat = text.replace(/\r\n|[\r\n\u0085\u2028\u2029]/g, " ").replaceAll("\t", " ");
  const safe = /^\s*[=+\-@]/.test(flat) ? `'${flat}` : flat;
  return format === "csv" && /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function cellText(value: unknown): string {
  if (value === undefined || value === null || value === false) return "";
  if (Array.isArray(value) && value.every((element) => typeof element !== "object")) return value.join(", ");
  return textOf(value);
}
