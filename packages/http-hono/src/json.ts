import { isOverJsonBounds } from "@signalbox/core/adapter";
import { InputError } from "@signalbox/core/plugin";
import { OverBounds, parseInSlices } from "./json-slices.ts";
import type { ParsingTurns } from "./parsing-turns.ts";

const BOUNDS = { depth: 64, members: 100_000, width: 5000 };
/** What is parsed in one go takes a few milliseconds at most, whatever it says. */
const SHORT = 65_536;
/** A text up to here is parsed at once: most bodies are shorter, and callers wait for an answer before they send another. */
const SMALL = 4096;

type Members = Record<string, unknown>;

/**
 * Parses the JSON of a body or a form field, a long text in slices. Blank text, arrays and scalars give `{}`.
 * Throws `InputError` for text that does not parse, nests deeper than 64, has more than 100000 members or more than 5000 in
 * one object.
 */
export function parseJsonObject(text: string, turns: ParsingTurns): Members | Promise<Members> {
  if (text.length <= SMALL) return parseShort(text);
  if (text.length > SHORT) return parseLong(text, turns);
  return turns.take(text.length).then(() => parseShort(text));
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

async function parseLong(text: string, turns: ParsingTurns): Promise<Members> {
  try {
    const value = await parseInSlices(text, BOUNDS, turns);
    // To check a text of 15 MB takes as long again as to read it.
    await turns.take(text.length);
    return objectOf(value);
  } catch (error) {
    if (error instanceof OverBounds) throw new InputError("Malformed request body.");
    if (!/\S/.test(text)) return {};
    throw notJson(error);
  }
}

const notJson = (error: unknown): InputError =>
  new InputError(`Failed to parse JSON: ${(error as Error).message}`, { cause: error });

const objectOf = (value: unknown): Members =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {};

/** For bodies of an unknown type: the object if the text is one, otherwise undefined. */
export async function tryJsonObject(text: string, turns: ParsingTurns): Promise<Members | undefined> {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    return await parseJsonObject(text, turns);
  } catch (error) {
    if (error instanceof InputError && error.cause === undefined) throw error;
    return undefined;
  }
}
