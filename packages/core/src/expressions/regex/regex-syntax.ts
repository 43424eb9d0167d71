import { blanks, type CharSet, complementOf, digits, lineBreaks, singleCharacter, wordCharacters } from "./char-set.ts";

/** The part of the regular expression language that has a known cost. */
export type RegexNode =
  | { readonly type: "set"; readonly set: CharSet }
  | { readonly type: "assertion"; readonly start: boolean }
  | { readonly type: "sequence"; readonly parts: readonly RegexNode[] }
  | { readonly type: "choice"; readonly options: readonly RegexNode[] }
  | { readonly type: "repeat"; readonly body: RegexNode; readonly min: number; readonly max: number };

/** Thrown for a construct outside of that part: look-around, back-references, mode changes, unusual escapes. */
const unknownCost = Symbol("unknown cost");

interface Reader {
  readonly pattern: string;
  index: number;
}

const peek = (reader: Reader): string => reader.pattern[reader.index] ?? "";

const accept = (reader: Reader, text: string): boolean => {
  if (!reader.pattern.startsWith(text, reader.index)) return false;
  reader.index += text.length;
  return true;
};

const maxGroupDepth = 50;

/** Parses a pattern that is known to be valid; undefined when it contains something of unknown cost. */
export const parseRegex = (pattern: string): RegexNode | undefined => {
  const reader: Reader = { pattern, index: 0 };
  try {
    const node = readChoice(reader, 0);
    return reader.index === pattern.length ? node : undefined;
  } catch (error) {
    if (error === unknownCost) return undefined;
    throw error;
  }
};

const readChoice = (reader: Reader, depth: number): RegexNode => {
  if (depth > maxGroupDepth) throw unknownCost;
  const options = [readSequence(reader, depth)];
  while (accept(reader, "|")) options.push(readSequence(reader, depth));
  return options.length === 1 ? (options[0] as RegexNode) : { type: "choice", options };
};

const readSequence = (reader: Reader, depth: number): RegexNode => {
  const parts: RegexNode[] = [];
  while (reader.index < reader.pattern.length && peek(reader) !== "|" && peek(reader) !== ")") {
    parts.push(readQuantified(reader, depth));
  }
  return { type: "sequence", parts };
};

const quantifier = /([*+?])|\{(\d+)(?:(,)(\d*))?\}/y;

const readQuantified = (reader: Reader, depth: number): RegexNode => {
  const body = readAtom(reader, depth);
  quantifier.lastIndex = reader.index;
  const found = quantifier.exec(reader.pattern);
  if (!found) return body;
  reader.index = quantifier.lastIndex;
  // A lazy quantifier tries the same ways in a different order.
  accept(reader, "?");
  return { type: "repeat", body, ...boundsOf(found) };
};

const boundsOf = ([, sign, low, comma, high]: RegExpExecArray): { min: number; max: number } => {
  if (sign) return { min: sign === "+" ? 1 : 0, max: sign === "?" ? 1 : Number.POSITIVE_INFINITY };
  const min = Number(low);
  if (!comma) return { min, max: min };
  return { min, max: high ? Number(high) : Number.POSITIVE_INFINITY };
};

const readAtom = (reader: Reader, depth: number): RegexNode => {
  const character = peek(reader);
  reader.index++;
  switch (character) {
    case "(":
      return readGroup(reader, depth);
    case "[":
      return { type: "set", set: readClass(reader) };
    case ".":
      return { type: "set", set: complementOf(lineBreaks) };
    case "^":
      return { type: "assertion", start: true };
    case "$":
      return { type: "assertion", start: false };
    case "\\":
      return readEscape(reader);
    case "{":
    case "}":
    case "]":
      throw unknownCost;
    default:
      return { type: "set", set: singleCharacter(character.charCodeAt(0)) };
  }
};

const namedGroup = /\?<[^=!>][^>]*>/y;

const readGroup = (reader: Reader, depth: number): RegexNode => {
  if (peek(reader) === "?" && !accept(reader, "?:")) {
    namedGroup.lastIndex = reader.index;
    if (!namedGroup.test(reader.pattern)) throw unknownCost;
    reader.index = namedGroup.lastIndex;
  }
  const node = readChoice(reader, depth + 1);
  if (!accept(reader, ")")) throw unknownCost;
  return node;
};

const readEscape = (reader: Reader): RegexNode => {
  if (accept(reader, "b") || accept(reader, "B")) return { type: "assertion", start: false };
  return { type: "set", set: readEscapedSet(reader) };
};

const escapedSets: Readonly<Record<string, CharSet>> = {
  d: digits,
  D: complementOf(digits),
  w: wordCharacters,
  W: complementOf(wordCharacters),
  s: blanks,
  S: complementOf(blanks),
};

const controls: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13 };

const codePattern = /x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})/y;

const readEscapedSet = (reader: Reader): CharSet => {
  codePattern.lastIndex = reader.index;
  const code = codePattern.exec(reader.pattern);
  if (code) {
    reader.index = codePattern.lastIndex;
    return singleCharacter(Number.parseInt((code[1] ?? code[2]) as string, 16));
  }
  const character = peek(reader);
  reader.index++;
  const set = Object.hasOwn(escapedSets, character) ? escapedSets[character] : undefined;
  if (set) return set;
  if (Object.hasOwn(controls, character)) return singleCharacter(controls[character] as number);
  // The remaining letters and digits are back-references, octal codes, control letters or reserved.
  if (/^[\da-zA-Z]?$/.test(character)) throw unknownCost;
  return singleCharacter(character.charCodeAt(0));
};

const readClass = (reader: Reader): CharSet => {
  const negated = accept(reader, "^");
  const ranges: (readonly [number, number])[] = [];
  while (!accept(reader, "]")) {
    if (reader.index >= reader.pattern.length) throw unknownCost;
    ranges.push(...readClassItem(reader));
  }
  return negated ? complementOf(ranges) : ranges;
};

const readClassItem = (reader: Reader): CharSet => {
  const low = readClassAtom(reader);
  const isRange = peek(reader) === "-" && (reader.pattern[reader.index + 1] ?? "]") !== "]";
  if (!isRange) return low;
  reader.index++;
  const high = readClassAtom(reader);
  const from = singleUnit(low);
  const to = singleUnit(high);
  // `[\w-x]`: a hyphen beside a class is a literal hyphen.
  if (from === undefined || to === undefined) return [...low, ...high, ...singleCharacter(45)];
  return [[from, to]];
};

const singleUnit = (set: CharSet): number | undefined => {
  const [range] = set;
  return set.length === 1 && range && range[0] === range[1] ? range[0] : undefined;
};

const readClassAtom = (reader: Reader): CharSet => {
  if (accept(reader, "\\b")) return singleCharacter(8);
  if (accept(reader, "\\-")) return singleCharacter(45);
  if (accept(reader, "\\")) return readEscapedSet(reader);
  const unit = peek(reader).charCodeAt(0);
  reader.index++;
  return singleCharacter(unit);
};
