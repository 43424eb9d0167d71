/** A piece of a line. */
export type Span =
  | { readonly kind: "text" | "code"; readonly text: string }
  | { readonly kind: "bold" | "italic" | "strike"; readonly spans: readonly Span[] }
  | { readonly kind: "link"; readonly href: string; readonly spans: readonly Span[] };

/** Consecutive lines with one meaning. */
export type Block =
  | { readonly kind: "heading"; readonly level: number; readonly spans: readonly Span[] }
  | { readonly kind: "paragraph"; readonly lines: readonly (readonly Span[])[] }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "list"; readonly isOrdered: boolean; readonly items: readonly (readonly Span[])[] }
  | { readonly kind: "quote"; readonly blocks: readonly Block[] }
  | { readonly kind: "table"; readonly rows: readonly (readonly (readonly Span[])[])[] }
  | { readonly kind: "rule" };

/** Longest text that is parsed, and longest line whose marks are parsed; the rest stays plain. */
const MAX_TEXT = 200_000;
const MAX_LINE = 4000;
const MAX_DEPTH = 4;

const MARKS =
  /`([^`]+)`|\*\*([^*]+)\*\*|__([^_]+)__|~~([^~]+)~~|\*([^*\s][^*]*)\*|\b_([^_\s][^_]*)_\b|!?\[((?:[^\][\\]|\\.)*)\]\(((?:[^()\s]|\([^()\s]*\))*)\)|<?(https?:\/\/(?:\([^\s<>()]*\)|[^\s<>()])+)>?/g;

/** Allows addresses on the web, of mail, and of this host. */
export const isSafeLink = (href: string): boolean => /^(?:https?:\/\/|mailto:|#|\/(?!\/))/i.test(href);

/** Parses the marks of one line: emphasis, code, links. */
export function spansOf(line: string, depth = 0): readonly Span[] {
  const plain = (text: string): readonly Span[] => (text ? [{ kind: "text", text }] : []);
  if (line.length > MAX_LINE || depth > MAX_DEPTH) return plain(line);
  const spans: Span[] = [];
  let done = 0;
  for (const found of line.matchAll(MARKS)) {
    spans.push(...plain(line.slice(done, found.index)), spanOf(found, depth));
    done = found.index + found[0].length;
  }
  return [...spans, ...plain(line.slice(done))];
}

function spanOf(
  [whole, code, bold, under, strike, star, dash, title, target, address]: RegExpExecArray,
  depth: number,
): Span {
  const inside = (text: string) => spansOf(text, depth + 1);
  if (code !== undefined) return { kind: "code", text: code };
  const strong = bold ?? under;
  if (strong !== undefined) return { kind: "bold", spans: inside(strong) };
  if (strike !== undefined) return { kind: "strike", spans: inside(strike) };
  const weak = star ?? dash;
  if (weak !== undefined) return { kind: "italic", spans: inside(weak) };
  const href = target ?? address ?? "";
  if (!isSafeLink(href)) return { kind: "text", text: whole };
  // A title with escaped brackets, such as the name of a file, is no markup.
  if (title?.includes("\\"))
    return { kind: "link", href, spans: [{ kind: "text", text: title.replace(/\\(?=[[\]\\])/g, "") }] };
  return { kind: "link", href, spans: title ? inside(title) : [{ kind: "text", text: href }] };
}

const LIST = /^\s*(?:[-*+]|(\d{1,9})[.)])\s+(.*)$/;
const cells = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => cell.trim());

/** Parses a Markdown text. HTML in it stays text. */
export function blocksOf(text: string, depth = 0): readonly Block[] {
  const lines = text.slice(0, MAX_TEXT).split(/\r?\n/);
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const { block, next } = blockAt(lines, at, depth);
    if (block) blocks.push(block);
    at = next;
  }
  return blocks;
}

interface Step {
  readonly block?: Block;
  readonly next: number;
}

/** The lines from an index on, as long as they fit. */
function run(lines: readonly string[], from: number, fits: (line: string) => boolean): readonly string[] {
  let end = from;
  while (end < lines.length && fits(lines[end] ?? "")) end += 1;
  return lines.slice(from, end);
}

const isRule = (line: string): boolean => /^\s*(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$/.test(line);
/** True for the line below the header of a table. */
const isDivider = (line: string): boolean => /^[\s|:-]+$/.test(line) && line.includes("-");

function blockAt(lines: readonly string[], at: number, depth: number): Step {
  const line = lines[at] ?? "";
  if (!line.trim()) return { next: at + 1 };
  if (/^\s*```/.test(line)) return fence(lines, at);
  if (/^#{1,6}\s/.test(line)) return heading(line, at);
  if (isRule(line)) return { block: { kind: "rule" }, next: at + 1 };
  if (line.startsWith(">") && depth < MAX_DEPTH) return quote(lines, at, depth);
  if (LIST.test(line)) return list(lines, at);
  if (line.includes("|") && isDivider(lines[at + 1] ?? "")) return table(lines, at);
  const own = run(lines, at + 1, (other) => !isStart(other));
  return { block: { kind: "paragraph", lines: [line, ...own].map((one) => spansOf(one)) }, next: at + 1 + own.length };
}

function heading(line: string, at: number): Step {
  const level = line.search(/[^#]/);
  return { block: { kind: "heading", level, spans: spansOf(line.slice(level).trim()) }, next: at + 1 };
}

const isStart = (line: string): boolean => !line.trim() || /^(?:\s*```|#{1,6}\s|>)/.test(line) || LIST.test(line);

function fence(lines: readonly string[], at: number): Step {
  const own = run(lines, at + 1, (line) => !/^\s*```\s*$/.test(line));
  return { block: { kind: "code", text: own.join("\n") }, next: at + own.length + 2 };
}

function quote(lines: readonly string[], at: number, depth: number): Step {
  const own = run(lines, at, (line) => line.startsWith(">"));
  const text = own.map((line) => line.replace(/^> ?/, "")).join("\n");
  return { block: { kind: "quote", blocks: blocksOf(text, depth + 1) }, next: at + own.length };
}

function list(lines: readonly string[], at: number): Step {
  const own = run(lines, at, (line) => LIST.test(line));
  const isOrdered = /^\s*\d/.test(own[0] ?? "");
  const items = own.map((line) =>
    spansOf((LIST.exec(line)?.[2] ?? "").replace(/^\[( |x)\] /i, (_, x) => (x === " " ? "☐ " : "☑ "))),
  );
  return { block: { kind: "list", isOrdered, items }, next: at + own.length };
}

function table(lines: readonly string[], at: number): Step {
  const own = run(lines, at + 2, (line) => line.includes("|"));
  const rows = [lines[at] ?? "", ...own].map((line) => cells(line).map((cell) => spansOf(cell)));
  return { block: { kind: "table", rows }, next: at + 2 + own.length };
}
