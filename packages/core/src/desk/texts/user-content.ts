import { isObject } from "../../lib/json/is-object.ts";
import { escapeHtml, sanitizeHtml } from "../../lib/text/html.ts";

/** A part of a mail that does not come from the template's text, in both forms. An empty block leaves no gap. */
export interface Block {
  readonly html: string;
  readonly text: string;
}
/** Output that a job published for people: its table and its HTML. */
export type UserContent = Block;

const MAX_ROWS = 500;
const MAX_COLUMNS = 50;
const MAX_HTML = 256 * 1024;
export const NO_CONTENT: UserContent = { html: "<p>n/a</p>", text: "n/a" };
const CELL = "border:1px solid #d4d4d8;padding:4px 8px;text-align:left";

export function userContent(job: Readonly<Record<string, unknown>>): UserContent {
  const { table, html } = job;
  const contents = [tableOf(table), htmlOf(html)].filter((each) => each !== undefined);
  if (contents.length === 0) return NO_CONTENT;
  return {
    html: contents.map((each) => each.html).join("\n"),
    text: contents.map((each) => each.text).join("\n\n"),
  };
}

const cellText = (value: unknown): string =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : String(value ?? "");

function tableOf(table: unknown): UserContent | undefined {
  if (!isObject(table) || !Array.isArray(table["rows"])) return undefined;
  const { title, header, caption } = table;
  const rows = (table["rows"] as readonly unknown[]).filter((row) => Array.isArray(row)).slice(0, MAX_ROWS);
  const cells = [...(Array.isArray(header) ? [header] : []), ...rows].map((row) =>
    row.slice(0, MAX_COLUMNS).map(cellText),
  );
  const rowHtml = (row: readonly string[], tag: string): string =>
    `<tr>${row.map((cell) => `<${tag} style="${CELL}">${escapeHtml(cell)}</${tag}>`).join("")}</tr>`;
  const hasHeader = Array.isArray(header);
  const body = cells.map((row, index) => rowHtml(row, hasHeader && index === 0 ? "th" : "td")).join("");
  const { before, after } = aroundOf(title, caption);
  return {
    html: `${before.html}<table style="border-collapse:collapse">${body}</table>${after.html}`,
    text: [before.text, ...cells.map((row) => row.join(" | ")), after.text].filter((line) => line !== "").join("\n"),
  };
}

function htmlOf(content: unknown): UserContent | undefined {
  if (!isObject(content) || typeof content["content"] !== "string") return undefined;
  const { title, caption } = content;
  const html = sanitizeHtml(content["content"].slice(0, MAX_HTML));
  const { before, after } = aroundOf(title, caption);
  return {
    html: `${before.html}<div>${html}</div>${after.html}`,
    text: [before.text, plainText(html), after.text].filter((line) => line !== "").join("\n"),
  };
}

function aroundOf(title: unknown, caption: unknown): { readonly before: UserContent; readonly after: UserContent } {
  const part = (value: unknown, tag: string): UserContent => {
    const text = typeof value === "string" ? plainText(sanitizeHtml(value.slice(0, MAX_HTML))) : "";
    return { html: text === "" ? "" : `<${tag}>${escapeHtml(text)}</${tag}>`, text };
  };
  return { before: part(title, "h3"), after: part(caption, "p") };
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', amp: "&" };

/** Expects sanitised HTML, in which only tags contain angle brackets. */
const plainText = (html: string): string =>
  html
    .replace(/<[^<>]*>/g, " ")
    .replace(/&(lt|gt|quot|amp);/g, (_, name: string) => ENTITIES[name] ?? "")
    .replace(/[ \t]+/g, " ")
    .trim();
