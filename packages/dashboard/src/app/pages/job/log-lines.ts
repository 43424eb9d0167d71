/** A piece of a line in one style; `style` is a class of the sheet. */
export interface Piece {
  readonly text: string;
  readonly style: string;
}

const COLOURS: Readonly<Record<number, string>> = {
  30: "a-d",
  31: "a-r",
  32: "a-g",
  33: "a-y",
  34: "a-b",
  35: "a-m",
  36: "a-b",
  90: "a-d",
  91: "a-r",
  92: "a-g",
  93: "a-y",
  94: "a-b",
  95: "a-m",
  96: "a-b",
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: escapes begin with this character
const ESCAPE = /\x1b\[([\d;]*)m|\x1b(?:\[[\d;?]*[A-Za-z]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: what no font shows
const UNSEEN = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g;

/** Takes a line apart by its colours; other escapes are dropped, and what is drawn over by a return is not shown. */
export function piecesOf(line: string): Piece[] {
  const pieces: Piece[] = [];
  const whole = line.replace(/\r+$/, "");
  const seen = whole.slice(whole.lastIndexOf("\r") + 1);
  let style = "";
  let from = 0;
  const push = (text: string): void => {
    const clean = text.replace(UNSEEN, "");
    if (clean) pieces.push({ text: clean, style: style.trim() });
  };
  for (const found of seen.matchAll(ESCAPE)) {
    push(seen.slice(from, found.index));
    from = found.index + found[0].length;
    if (found[1] !== undefined) style = styleOf(found[1], style);
  }
  push(seen.slice(from));
  return pieces;
}

/** Codes without the numbers of colours from the large tables, which are shown as plain. */
const plainCodes = (codes: string): number[] =>
  codes
    .replace(/(?:^|;)(?:38|48);(?:5;\d+|2;\d+;\d+;\d+)/g, ";39")
    .split(";")
    .map(Number);

const colourAfter = (code: number, colour: string): string =>
  code === 0 || code === 39 ? "" : (COLOURS[code] ?? colour);
const boldAfter = (code: number, bold: string): string =>
  code === 0 || code === 22 ? "" : code === 1 ? "a-bold" : bold;

function styleOf(codes: string, before: string): string {
  const [colour = "", bold = ""] = before.split(" ");
  const after = (codes === "" ? [0] : plainCodes(codes)).filter((code) => !Number.isNaN(code));
  return `${after.reduce((known, code) => colourAfter(code, known), colour)} ${after.reduce((known, code) => boldAfter(code, known), bold)}`;
}

/** Class of a whole line, by the word that it begins with. */
export function levelOf(line: string): "" | "warn" | "err" {
  const start = line.slice(0, 120);
  if (/\b(?:ERROR|FATAL|CRITICAL|\w*Error(?=:))|\berror\b:/.test(start)) return "err";
  return /\bWARN(?:ING)?\b/.test(start) ? "warn" : "";
}

/** What is kept of a log in a page: the newest lines. */
const MAX_LINES = 200_000;

export interface LogText {
  readonly lines: readonly string[];
  /** Lines that were dropped at the beginning. */
  readonly dropped: number;
}

/** Puts text behind a log; its last line may have been cut in the middle. */
export function append({ lines, dropped }: LogText, text: string): LogText {
  const added = text.split("\n");
  const last = lines.at(-1) ?? "";
  const all = lines.slice(0, -1).concat(last + (added[0] ?? ""), added.slice(1));
  const over = Math.max(0, all.length - MAX_LINES);
  return { lines: over > 0 ? all.slice(over) : all, dropped: dropped + over };
}

export const emptyLog: LogText = { lines: [""], dropped: 0 };
/** Lines that are shown: the empty one after the last line break is none. */
export const countOf = ({ lines }: LogText): number => (lines.at(-1) === "" ? lines.length - 1 : lines.length);
