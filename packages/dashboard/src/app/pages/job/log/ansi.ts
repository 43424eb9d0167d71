/** A part of a line in one style. */
export interface Piece {
  readonly text: string;
  /** CSS classes, separated by spaces. */
  readonly style: string;
  /** CSS colour from the 256-colour or RGB codes, which have no class. */
  readonly color?: string;
  readonly background?: string;
  /** Link target; http and https only. */
  readonly href?: string;
}

interface Pen {
  readonly color: string;
  readonly background: string;
  /** CSS colours from the 256-colour or RGB codes. */
  readonly exactColor: string;
  readonly exactBackground: string;
  readonly marks: readonly string[];
  readonly href: string;
}

const PLAIN: Pen = { color: "", background: "", exactColor: "", exactBackground: "", marks: [], href: "" };
const LETTERS = ["d", "r", "g", "y", "b", "m", "c", "w"];
/** SGR codes that switch a style on, and codes that switch styles off. */
const ON: Readonly<Record<number, string>> = { 1: "a-bold", 2: "a-dim", 3: "a-it", 4: "a-ul" };
const OFF: Readonly<Record<number, readonly string[]>> = { 22: ["a-bold", "a-dim"], 23: ["a-it"], 24: ["a-ul"] };

const ESCAPE = new RegExp(
  [
    // Colours and styles (SGR).
    String.raw`\x1b\[([\d;:]*)m`,
    // Links (OSC 8): the address is the second parameter.
    String.raw`\x1b\]8;[^;\x07\x1b]*;([^\x07\x1b]*)(?:\x07|\x1b\\)`,
    // Any other escape sequence, which is dropped.
    String.raw`\x1b(?:\[[\d;?]*[A-Za-z]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])`,
  ].join("|"),
  "g",
);
// biome-ignore lint/suspicious/noControlCharactersInRegex: what no font shows
const UNSEEN = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g;
/** Control characters, which make a line more than plain text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: what no font shows
const SPECIAL = /[\x00-\x08\x0b-\x1f\x7f]/;
export const isPlain = (line: string): boolean => !SPECIAL.test(line);

/** The text after the last carriage return, which a terminal would have drawn over the rest. */
const lastDrawn = (line: string): string => {
  const whole = line.replace(/\r+$/, "");
  return whole.slice(whole.lastIndexOf("\r") + 1);
};

/** Splits a line by its styles. Drops other escape sequences and text that a carriage return overwrites. */
export function piecesOf(line: string): Piece[] {
  const pieces: Piece[] = [];
  const seen = lastDrawn(line);
  let pen = PLAIN;
  let from = 0;
  const push = (text: string): void => {
    const clean = text.replace(UNSEEN, "");
    if (clean) pieces.push(pieceOf(clean, pen));
  };
  for (const found of seen.matchAll(ESCAPE)) {
    push(seen.slice(from, found.index));
    from = found.index + found[0].length;
    if (found[1] !== undefined) pen = penAfter(found[1], pen);
    if (found[2] !== undefined) pen = { ...pen, href: /^https?:\/\//i.test(found[2]) ? found[2] : "" };
  }
  push(seen.slice(from));
  return pieces;
}

/** The text of a line without escape sequences. */
export const textOf = (line: string): string =>
  isPlain(line) ? line : lastDrawn(line).replace(ESCAPE, "").replace(UNSEEN, "");

function pieceOf(text: string, { color, background, exactColor, exactBackground, marks, href }: Pen): Piece {
  return {
    text,
    style: [color && `a-${color}`, background && `b-${background}`, ...marks].filter(Boolean).join(" "),
    ...(exactColor ? { color: exactColor } : {}),
    ...(exactBackground ? { background: exactBackground } : {}),
    ...(href ? { href } : {}),
  };
}

function penAfter(text: string, before: Pen): Pen {
  const codes = text === "" ? [0] : text.split(/[;:]/).map(Number);
  let pen = before;
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0;
    if (code === 38 || code === 48) {
      const { colour, length } = largeColour(codes.slice(at + 1));
      pen =
        code === 38 ? { ...pen, exactColor: colour, color: "" } : { ...pen, exactBackground: colour, background: "" };
      at += length;
    } else pen = step(code, pen);
  }
  return pen;
}

function step(code: number, pen: Pen): Pen {
  if (code === 0) return { ...PLAIN, href: pen.href };
  const mark = ON[code];
  if (mark) return pen.marks.includes(mark) ? pen : { ...pen, marks: [...pen.marks, mark] };
  const gone = OFF[code];
  if (gone) return { ...pen, marks: pen.marks.filter((one) => !gone.includes(one)) };
  if (code === 39) return { ...pen, color: "", exactColor: "" };
  if (code === 49) return { ...pen, background: "", exactBackground: "" };
  return coloured(code, pen);
}

/** Codes 30 to 37 and 90 to 97 set the text colour, 40 to 47 and 100 to 107 the background. */
function coloured(code: number, pen: Pen): Pen {
  const letter = LETTERS[code % 10];
  const tens = Math.floor(code / 10);
  if (letter === undefined) return pen;
  if (tens === 3 || tens === 9) return { ...pen, color: letter, exactColor: "" };
  return tens === 4 || tens === 10 ? { ...pen, background: letter, exactBackground: "" } : pen;
}

/** Parses `5;n` or `2;r;g;b`. `length` is the number of codes consumed. */
function largeColour(codes: readonly number[]): { readonly colour: string; readonly length: number } {
  const byte = (value: number | undefined): number => Math.min(255, Math.max(0, Math.trunc(value ?? 0) || 0));
  if (codes[0] === 5) return { colour: fromTable(byte(codes[1])), length: 2 };
  if (codes[0] === 2) return { colour: readable(byte(codes[1]), byte(codes[2]), byte(codes[3])), length: 4 };
  return { colour: "", length: 0 };
}

const SMALL = ["#555", "#c33", "#2a8", "#a80", "#46d", "#a4a", "#088", "#999"] as const;

/** A colour of the 256-colour table: 16 named colours, a 6×6×6 cube and 24 greys. */
function fromTable(index: number): string {
  if (index < 16) return `light-dark(${SMALL[index % 8]}, color-mix(in oklch, ${SMALL[index % 8]}, white 30%))`;
  if (index >= 232) return readable(...(Array(3).fill(8 + (index - 232) * 10) as [number, number, number]));
  const cube = index - 16;
  const side = (value: number): number => (value === 0 ? 0 : 55 + value * 40);
  return readable(side(Math.floor(cube / 36)), side(Math.floor(cube / 6) % 6), side(cube % 6));
}

/** Keeps the hue but adjusts the lightness, so that the text is readable on our background. */
const readable = (red: number, green: number, blue: number): string => {
  const from = `oklch(from rgb(${red} ${green} ${blue})`;
  return `light-dark(${from} min(l, 0.52) c h), ${from} max(l, 0.74) c h))`;
};

/** The level of a line, from words near its beginning. */
export function levelOf(line: string): "" | "warn" | "err" {
  const start = line.slice(0, 120);
  if (/\b(?:ERROR|FATAL|CRITICAL|\w*Error(?=:))|\berror\b:/.test(start)) return "err";
  return /\bWARN(?:ING)?\b/.test(start) ? "warn" : "";
}

const ASCII = /^[\x20-\x7e]*$/;
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u;
const UNDRAWN = /\p{Mn}|\p{Me}|\u200d|\ufe0f/u;

/** Columns that a character takes in a monospaced font. */
export const widthOf = (character: string): number => (UNDRAWN.test(character) ? 0 : WIDE.test(character) ? 2 : 1);

export function columnsOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  let columns = 0;
  for (const character of text) columns += widthOf(character);
  return columns;
}
