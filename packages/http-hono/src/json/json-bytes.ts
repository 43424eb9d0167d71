import { PIECE_BYTES, readPiece } from "./json-texts.ts";
import { CHARACTERS_PER_TURN, type ParsingTurns } from "./parsing-turns.ts";

export interface Bounds {
  /** Most levels of nested objects and lists. */
  readonly depth: number;
  /** Most members and elements in the whole text. */
  readonly members: number;
  /** Most members of one object: their cost grows with each step that copies them. */
  readonly width: number;
}

/** Error for a text that exceeds a bound. */
export class OverBounds extends Error {}

/** A container that is being filled. */
interface Level {
  readonly value: Record<string, unknown> | unknown[];
  /** Name of the member whose value comes next. */
  key: string;
  size: number;
}

interface Reader {
  readonly bytes: Buffer;
  readonly bounds: Bounds;
  at: number;
  members: number;
  readonly open: Level[];
  /** The beginning of a text that is longer than a piece. */
  begun: string | undefined;
  hasPrototype: boolean;
}

export interface Parsed {
  readonly value: unknown;
  /** Whether there is a member `__proto__` anywhere. */
  readonly hasPrototype: boolean;
}

type Done = { readonly value: unknown } | undefined;

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
/** Values per slice: five milliseconds if all names are new. */
const SLICE_VALUES = 4000;
/** More bytes than any valid number or keyword has. */
const MAX_LITERAL = 65_536;

/**
 * `JSON.parse` for bytes, in slices. In one go, a hundred thousand names take a tenth of a second, since each new name costs a
 * microsecond, and allocating a text of 15 MB takes up to 60 ms. Slower than `JSON.parse` by half, so it is only for long texts.
 *
 * A text longer than half a megabyte is concatenated from pieces, and only flattened when its characters are read; its length is
 * known without that.
 *
 * Throws `OverBounds` as soon as a bound is exceeded, `SyntaxError` for malformed JSON.
 */
export async function parseInSlices(bytes: Buffer, bounds: Bounds, turns: ParsingTurns): Promise<Parsed> {
  const reader: Reader = {
    bytes,
    bounds,
    at: afterMark(bytes),
    members: 0,
    open: [],
    begun: undefined,
    hasPrototype: false,
  };
  for (;;) {
    // One slice per turn: slices of many texts in one turn would block the loop for as long as one large slice.
    await turns.take(CHARACTERS_PER_TURN);
    const sliceEnd = reader.at + PIECE_BYTES;
    for (let count = 0; count < SLICE_VALUES && reader.at < sliceEnd; count++) {
      const done = reader.begun === undefined ? readNext(reader) : readText(reader, reader.at);
      if (done) return { value: done.value, hasPrototype: reader.hasPrototype };
    }
  }
}

/** Position after the byte order mark that some editors write. */
const afterMark = (bytes: Buffer): number => (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0);

/** Reads one value, a piece of a text, or the start of a container; returns whether the outermost value is complete. */
function readNext(reader: Reader): Done {
  const byte = peek(reader);
  if (byte === OPEN_LIST) return openContainer(reader, [], CLOSE_LIST);
  if (byte === OPEN_OBJECT) return openContainer(reader, {}, CLOSE_OBJECT);
  return byte === QUOTE ? readText(reader, reader.at + 1) : complete(reader, readLiteral(reader));
}

function openContainer(reader: Reader, value: Level["value"], end: number): Done {
  reader.at++;
  reader.open.push({ value, key: "", size: 0 });
  if (reader.open.length > reader.bounds.depth) throw new OverBounds();
  if (peek(reader) === end) return close(reader);
  if (end === CLOSE_OBJECT) readKey(reader);
  return undefined;
}

/** Ends the innermost container and adds it to its parent. */
function close(reader: Reader): Done {
  reader.at++;
  return complete(reader, reader.open.pop()?.value);
}

/** Adds a complete value to its container, and all containers that end after it to theirs. */
function complete(reader: Reader, whole: unknown): Done {
  let value = whole;
  for (let level = reader.open.at(-1); level; level = reader.open.at(-1)) {
    put(reader, level, value);
    if (hasMore(reader, level)) return undefined;
    reader.open.pop();
    value = level.value;
  }
  peek(reader);
  if (reader.at < reader.bytes.length) throw unexpected(reader);
  return { value };
}

/** Reads the punctuation after a value: a comma and the next name, or the end of the container. */
function hasMore(reader: Reader, { value }: Level): boolean {
  const isList = Array.isArray(value);
  const byte = peek(reader);
  const more = byte === COMMA;
  if (!more && byte !== (isList ? CLOSE_LIST : CLOSE_OBJECT)) throw unexpected(reader);
  reader.at++;
  if (more && !isList) readKey(reader);
  return more;
}

function put(reader: Reader, level: Level, value: unknown): void {
  if (++reader.members > reader.bounds.members) throw new OverBounds();
  if (Array.isArray(level.value)) level.value.push(value);
  else if (++level.size > reader.bounds.width) throw new OverBounds();
  // An assignment would set the prototype, and the check that refuses the name must see it.
  else if (level.key === "__proto__") {
    reader.hasPrototype = true;
    Object.defineProperty(level.value, level.key, { value, enumerable: true, configurable: true, writable: true });
  } else level.value[level.key] = value;
}

/** A name is read in one go; one that is longer than a piece exceeds the bounds, since no record may contain it. */
function readKey(reader: Reader): void {
  const level = reader.open.at(-1);
  if (peek(reader) !== QUOTE || !level) throw unexpected(reader);
  const { text, end, isLast } = readPiece(reader.bytes, reader.at + 1);
  if (!isLast) throw new OverBounds();
  level.key = text;
  reader.at = end + 1;
  if (peek(reader) !== COLON) throw unexpected(reader);
  reader.at++;
}

/** Reads a text, or the next piece of one. */
function readText(reader: Reader, start: number): Done {
  const { text, end, isLast } = readPiece(reader.bytes, start);
  const whole = reader.begun === undefined ? text : reader.begun + text;
  reader.begun = isLast ? undefined : whole;
  reader.at = isLast ? end + 1 : end;
  return isLast ? complete(reader, whole) : undefined;
}

/** Reads a number or a keyword: all bytes up to a blank or punctuation. */
function readLiteral(reader: Reader): unknown {
  const { bytes, at } = reader;
  let end = at;
  while (end < bytes.length && !endsLiteral(bytes[end] as number)) end++;
  if (end === at) throw unexpected(reader);
  if (end - at > MAX_LITERAL) throw new OverBounds();
  reader.at = end;
  return JSON.parse(bytes.toString("latin1", at, end));
}

const endsLiteral = (byte: number): boolean =>
  byte <= 32 || byte === COMMA || byte === CLOSE_LIST || byte === CLOSE_OBJECT;

/** Skips blanks; returns the next byte, or undefined at the end. */
function peek(reader: Reader): number | undefined {
  reader.at = behindBlanks(reader.bytes, reader.at);
  return reader.bytes[reader.at];
}

function behindBlanks(bytes: Buffer, start: number): number {
  let at = start;
  while (isBlank(bytes[at])) at++;
  return at;
}

const isBlank = (byte: number | undefined): boolean => byte === 32 || byte === 10 || byte === 13 || byte === 9;

/** The first byte that is not a blank; undefined if there is none. */
export const firstSign = (bytes: Buffer): number | undefined => bytes[behindBlanks(bytes, afterMark(bytes))];

function unexpected({ bytes, at }: Reader): SyntaxError {
  if (at >= bytes.length) return new SyntaxError("Unexpected end of JSON input");
  return new SyntaxError(`Unexpected token '${bytes.toString("latin1", at, at + 1)}' at position ${at}`);
}
