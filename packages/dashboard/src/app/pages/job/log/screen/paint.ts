import { type Piece, piecesOf, widthOf } from "../ansi.ts";
import { type LogBuffer, MAX_COLUMNS } from "../buffer.ts";
import { type Needle, searchedText, spansOf } from "../search.ts";
import type { LogRows } from "./rows.ts";

/** Lines selected in the address (`#L120`, `#L120-L140`), counted from 0 here. */
export interface Picked {
  readonly from: number;
  readonly to: number;
}

export interface Picture {
  readonly buffer: LogBuffer;
  readonly rows: LogRows;
  /** First row to draw; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
  readonly needle: Needle;
  /** Width of the view in columns; 0 = lines are not wrapped. */
  readonly width: number;
  readonly picked: Picked | undefined;
  /** The line of the current match. */
  readonly current: number;
}

const numbers = new Intl.NumberFormat("en", { useGrouping: false });

/** Breaks a text into rows of a given width in columns. Returns the column after the last one. */
function* broken(text: string, width: number, start: number): Generator<string, number> {
  let row = "";
  let column = start;
  for (const character of text) {
    const columns = widthOf(character);
    if (column + columns > width) {
      yield row;
      row = "";
      column = 0;
    }
    row += character;
    column += columns;
  }
  yield row;
  return column;
}

const ASCII = /^[\x20-\x7e]*$/;
/** Inserts line breaks where rows end. `column` is where the next piece continues. */
function wrapped(text: string, width: number, start: number): { readonly text: string; readonly column: number } {
  if (width === 0) return { text, column: 0 };
  if (start === 0 && text.length <= width && ASCII.test(text)) return { text, column: text.length };
  const parts: string[] = [];
  const steps = broken(text, width, start);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return { text: parts.join("\n"), column: step.value };
    parts.push(step.value);
  }
}

/** Replaces tabs with single spaces, because tabs do not fit a grid of columns. */
const flat = (text: string): string => (text.includes("\t") ? text.replaceAll("\t", " ") : text);

/**
 * Draws a range of rows. A run of plain lines becomes one text node; only lines with colours, a level, a selection or a
 * match get an element between them. So copied text has its lines in order.
 */
export function nodesOf(picture: Picture): { readonly numbers: string; readonly nodes: readonly Node[] } {
  const { buffer, rows, from, to } = picture;
  const nodes: Node[] = [];
  const labels: string[] = [];
  let run = "";
  const first = rows.at(from);
  let { line } = first;
  for (let row = from - first.row; row < to && line < buffer.count; line += 1) {
    const height = rows.heightOf(line);
    labels.push(numbers.format(line + 1), ...Array<string>(height - 1).fill(""));
    row += height;
    const special = specialOf(line, picture);
    if (special) {
      if (run) nodes.push(document.createTextNode(run));
      run = "";
      nodes.push(special);
    } else run += `${wrapped(flat(buffer.line(line).slice(0, MAX_COLUMNS)), picture.width, 0).text}\n`;
  }
  if (run) nodes.push(document.createTextNode(run));
  return { numbers: labels.join("\n"), nodes };
}

/** Draws a line that needs an element of its own; undefined for a plain line. */
function specialOf(line: number, { buffer, needle, width, picked, current }: Picture): HTMLElement | undefined {
  const level = buffer.level(line);
  const isPicked = picked !== undefined && line >= picked.from && line <= picked.to;
  const spans = spansOf(needle ? searchedText(buffer, line) : "", needle);
  if (buffer.isPlain(line) && !level && !isPicked && spans.length === 0) return undefined;
  const element = document.createElement("div");
  element.className = ["ln", level, isPicked && "picked", line === current && "hit"].filter(Boolean).join(" ");
  const pieces = buffer.isPlain(line) ? [{ text: buffer.line(line), style: "" }] : piecesOf(buffer.line(line));
  let at = 0;
  let column = 0;
  for (const piece of pieces) {
    const text = piece.text.slice(0, Math.max(0, MAX_COLUMNS - at));
    for (const part of partsOf(text, at, spans)) {
      const broken = wrapped(flat(part.text), width, column);
      column = broken.column;
      element.append(drawn({ ...piece, text: broken.text }, part.isMatch));
    }
    at += text.length;
  }
  // The line break gives a line without text its height.
  element.append("\n");
  return element;
}

/** Splits a piece where matches begin and end. */
function partsOf(text: string, offset: number, spans: readonly { from: number; to: number }[]) {
  const parts: { text: string; isMatch: boolean }[] = [];
  let at = 0;
  for (const span of spans) {
    const from = Math.max(at, Math.min(text.length, span.from - offset));
    const to = Math.max(from, Math.min(text.length, span.to - offset));
    if (from > at) parts.push({ text: text.slice(at, from), isMatch: false });
    if (to > from) parts.push({ text: text.slice(from, to), isMatch: true });
    at = to;
  }
  if (at < text.length) parts.push({ text: text.slice(at), isMatch: false });
  return parts;
}

function drawn({ text, style, color, background, href }: Piece, isMatch: boolean): Node {
  if (!style && !color && !background && !href && !isMatch) return document.createTextNode(text);
  const element = document.createElement(isMatch ? "mark" : href ? "a" : "span");
  if (href && element instanceof HTMLAnchorElement) {
    element.href = href;
    element.rel = "noopener noreferrer";
    element.target = "_blank";
  }
  if (style) element.className = style;
  if (color) element.style.color = color;
  if (background) element.style.backgroundColor = background;
  element.textContent = text;
  return element;
}
