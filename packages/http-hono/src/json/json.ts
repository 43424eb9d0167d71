import { isOverJsonBounds, markChecked, notJson } from "@signalbox/core/adapter";
import { InputError } from "@signalbox/core/plugin";
import { firstSign, OverBounds, parseInSlices } from "./json-bytes.ts";
import { PIECE_BYTES } from "./json-texts.ts";
import type { ParsingTurns } from "./parsing-turns.ts";

const BOUNDS = { depth: 64, members: 100_000, width: 5000 };
/** Length of a text that is parsed in at most a few milliseconds. */
const SHORT = 65_536;
/**
 * A text up to this length is parsed synchronously: most bodies are shorter, and callers wait for an answer before they send
 * another.
 */
const SMALL = 4096;

const OPEN_OBJECT = 123;
/** The upper ten bits of a high surrogate. */
const HIGH_HALF = 0xd800 >>> 10;

type Members = Record<string, unknown>;

/**
 * Parses the JSON of a body or a form field, a long one in slices. Blank text, arrays and scalars give `{}`. Throws `InputError`
 * for text that does not parse, is nested deeper than 64, or has more than 100000 members, or more than 5000 in one object.
 */
export function parseJsonObject(body: string | Buffer, turns: ParsingTurns): Members | Promise<Members> {
  if (typeof body !== "string") return parseLong(body, turns);
  if (body.length <= SMALL) return parseShort(body);
  if (body.length > SHORT) return toBytes(body, turns).then((bytes) => parseLong(bytes, turns));
  return turns.take(body.length).then(() => parseShort(body));
}

function parseShort(text: string): Members {
  if (isOverJsonBounds(text, BOUNDS)) throw new InputError("Malformed request body.");
  try {
    return objectOf(JSON.parse(text));
  } catch (error) {
    if (!/\S/.test(text)) return {};
    throw notJson(error);
  }
}

async function parseLong(bytes: Buffer, turns: ParsingTurns): Promise<Members> {
  try {
    const { value, hasPrototype } = await parseInSlices(bytes, BOUNDS, turns);
    // Checking a text of 15 MB takes as long as reading it.
    await turns.take(bytes.length);
    const members = objectOf(value);
    // With a `__proto__`, core repeats the check, and its error names the problem.
    if (!hasPrototype) markChecked(members);
    return members;
  } catch (error) {
    if (error instanceof OverBounds) throw new InputError("Malformed request body.");
    if (firstSign(bytes) === undefined) return {};
    throw notJson(error);
  }
}

/** Bytes of a text that was assembled elsewhere: a field of a form, or the body that middleware of the host has read. */
async function toBytes(text: string, turns: ParsingTurns): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(Buffer.byteLength(text));
  for (let at = 0, written = 0; at < text.length; ) {
    await turns.take(PIECE_BYTES);
    const end = text.charCodeAt(at + PIECE_BYTES - 1) >>> 10 === HIGH_HALF ? at + PIECE_BYTES - 1 : at + PIECE_BYTES;
    written += bytes.write(text.slice(at, end), written);
    at = end;
  }
  return bytes;
}

const objectOf = (value: unknown): Members =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {};

/** The object in a body of unknown type; undefined if the body is not an object. */
export async function tryJsonObject(body: string | Buffer, turns: ParsingTurns): Promise<Members | undefined> {
  const isObject = typeof body === "string" ? /^\s*\{/.test(body) : firstSign(body) === OPEN_OBJECT;
  if (!isObject) return undefined;
  try {
    return await parseJsonObject(body, turns);
  } catch (error) {
    if (error instanceof InputError && error.cause === undefined) throw error;
    return undefined;
  }
}
