import { escapeHtml } from "../text/html.ts";
import { tableAt } from "./table.ts";

/** Styles of the HTML; they are inline, because mail programs ignore style sheets. */
const STYLE = {
  pre: "background:#f4f4f5;border-radius:4px;padding:8px;overflow:auto;font-family:monospace;font-size:13px",
  code: "background:#f4f4f5;border-radius:3px;padding:1px 3px;font-family:monospace",
  quote: "border-left:3px solid #d4d4d8;margin:0;padding-left:12px;color:#52525b",
  table: "border-collapse:collapse",
  cell: "border:1px solid #d4d4d8;padding:4px 8px;text-align:left",
} as const;

const ITEM = /^ {0,8}(?:[-*+]|\d{1,9}[.)]) +(\S.*)$/;
const HEADING = /^(#{1,6}) +(\S.*)$/;
const RULE = /^ {0,3}([-*_])(?: *\1){2,} *$/;
const FENCE = /^ {0,3}(`{3,})/;

/**
 * Renders a common subset of Markdown as HTML: headings, paragraphs, lists, quotes, fences, tables, rules, code, emphasis with
 * asterisks, links and bare addresses. HTML tags in the text are escaped. Runs in linear time.
 */
export function renderMarkdown(text: string): string {
  const lines = text.replaceAll("\r", "").split("\n");
  const blocks: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const block = readBlock(lines, at);
    if (block.html !== "") blocks.push(block.html);
    at = block.next;
  }
  return blocks.join("\n");
}

interface Block {
  readonly html: string;
  readonly next: number;
}

function readBlock(lines: readonly string[], at: number): Block {
  const line = lines[at] ?? "";
  const next = at + 1;
  if (line.trim() === "") return { html: "", next };
  const fence = FENCE.exec(line)?.[1];
  if (fence !== undefined) return readFence(lines, next, fence.length);
  const [, marks, title] = HEADING.exec(line) ?? [];
  if (marks && title) return { html: `<h${marks.length}>${inline(titleOf(title))}</h${marks.length}>`, next };
  if (RULE.test(line)) return { html: "<hr>", next };
  if (ITEM.test(line)) return readList(lines, at);
  if (line.startsWith(">")) return readQuote(lines, at);
  return readTable(lines, at) ?? readParagraph(lines, at);
}

/** The text of a heading without the optional closing marks. */
function titleOf(text: string): string {
  let end = text.length;
  while (text[end - 1] === "#") end -= 1;
  return end < text.length && text[end - 1] === " " ? text.slice(0, end).trimEnd() : text;
}

const upTo = (lines: readonly string[], at: number, ends: (line: string, index: number) => boolean): number => {
  let end = at;
  while (end < lines.length && !ends(lines[end] ?? "", end)) end += 1;
  return end;
};

function readFence(lines: readonly string[], at: number, marks: number): Block {
  const end = upTo(lines, at, (line) => (FENCE.exec(line)?.[1]?.length ?? 0) >= marks && /^\s*`+\s*$/.test(line));
  return { html: `<pre style="${STYLE.pre}">${escapeHtml(lines.slice(at, end).join("\n"))}</pre>`, next: end + 1 };
}

function readList(lines: readonly string[], at: number): Block {
  const end = upTo(lines, at, (line) => !ITEM.test(line));
  const items = lines.slice(at, end).map((line) => `<li>${inline(ITEM.exec(line)?.[1] ?? "")}</li>`);
  const tag = /^\s*\d/.test(lines[at] ?? "") ? "ol" : "ul";
  return { html: `<${tag}>${items.join("")}</${tag}>`, next: end };
}

function readQuote(lines: readonly string[], at: number): Block {
  const end = upTo(lines, at, (line) => !line.startsWith(">"));
  const inner = lines.slice(at, end).map((line) => inline(line.replace(/^> ?/, "")));
  return { html: `<blockquote style="${STYLE.quote}">${inner.join("<br>")}</blockquote>`, next: end };
}

function readTable(lines: readonly string[], at: number): Block | undefined {
  const table = tableAt(lines, at);
  if (table === undefined) return undefined;
  const rowOf = (cells: readonly string[], tag: "td" | "th"): string =>
    `<tr>${cells.map((cell) => `<${tag} style="${STYLE.cell}">${inline(cell)}</${tag}>`).join("")}</tr>`;
  const rows = table.rows.map((cells) => rowOf(cells, "td"));
  return {
    html: `<table style="${STYLE.table}">${rowOf(table.header, "th")}${rows.join("")}</table>`,
    next: table.next,
  };
}

const endsParagraph = (line: string): boolean =>
  line.trim() === "" || FENCE.test(line) || HEADING.test(line) || ITEM.test(line) || line.startsWith(">");

function readParagraph(lines: readonly string[], at: number): Block {
  const ends = (line: string, index: number): boolean => endsParagraph(line) || tableAt(lines, index) !== undefined;
  const end = upTo(lines, at + 1, ends);
  return { html: `<p>${inline(lines.slice(at, end).join("\n"))}</p>`, next: end };
}

/** Most characters of a span; longer ones are treated as text, which bounds repeated searches. */
const MAX_SPAN = 2000;
const ADDRESS = /^https?:\/\/[^\s<>"'`)\]\\]{1,2000}/;

interface Piece {
  readonly html: string;
  readonly length: number;
}

function inline(text: string): string {
  let html = "";
  const open: string[] = [];
  for (let at = 0; at < text.length; ) {
    const piece = readSpan(text, at) ?? readEmphasis(text, at, open) ?? readText(text, at);
    html += piece.html;
    at += piece.length;
  }
  return (
    html +
    open
      .reverse()
      .map((tag) => `</${tag}>`)
      .join("")
  );
}

function readSpan(text: string, at: number): Piece | undefined {
  const letter = text[at];
  const rest = text.slice(at, at + MAX_SPAN * 2);
  if (letter === "\\" && /^[!-/:-@[-`{-~]$/.test(text[at + 1] ?? ""))
    return { html: escapeHtml(text[at + 1] ?? ""), length: 2 };
  if (letter === "`") return readCode(rest);
  if (letter === "[") return readLink(rest);
  const address = letter === "h" ? ADDRESS.exec(rest)?.[0].replace(/[.,:;!?]+$/, "") : undefined;
  return address === undefined ? undefined : { html: anchor(address, escapeHtml(address)), length: address.length };
}

function readCode(rest: string): Piece | undefined {
  const end = rest.slice(0, MAX_SPAN).indexOf("`", 1);
  if (end < 2) return undefined;
  return { html: `<code style="${STYLE.code}">${escapeHtml(rest.slice(1, end))}</code>`, length: end + 1 };
}

/** A label, and an address that may contain pairs of parentheses, as in encyclopedias. */
const LINK = /^\[((?:[^[\]\\]|\\.){1,1000})\]\(((?:[^()\s]|\([^()\s]*\)){1,2000})\)/;

function readLink(rest: string): Piece | undefined {
  const [whole, label = "", address = ""] = LINK.exec(rest) ?? [];
  if (whole === undefined) return undefined;
  const shown = escapeHtml(label.replace(/\\([!-/:-@[-`{-~])/g, "$1"));
  return { html: /^(?:https?:\/\/|mailto:)/i.test(address) ? anchor(address, shown) : shown, length: whole.length };
}

const anchor = (address: string, shown: string): string => `<a href="${escapeHtml(address)}">${shown}</a>`;

/** Asterisks next to a word; a closing mark without an opening one is text. */
function readEmphasis(text: string, at: number, open: string[]): Piece | undefined {
  if (text[at] !== "*") return undefined;
  const marks = text[at + 1] === "*" ? "**" : "*";
  const tag = marks === "**" ? "strong" : "em";
  const closes = open.at(-1) === tag && /\S/.test(text[at - 1] ?? " ");
  if (closes) {
    open.pop();
    return { html: `</${tag}>`, length: marks.length };
  }
  if (open.includes(tag) || !/\S/.test(text[at + marks.length] ?? " ")) return undefined;
  open.push(tag);
  return { html: `<${tag}>`, length: marks.length };
}

/** Plain text up to the next character that may be markup. */
function readText(text: string, at: number): Piece {
  const run = /^[^\\`[*hH]+/.exec(text.slice(at, at + MAX_SPAN))?.[0] ?? text[at] ?? "";
  return { html: escapeHtml(run), length: run.length };
}
