import { InputError, isOverJsonBounds } from "@signalbox/core";

const BOUNDS = { depth: 64, members: 100_000 };

/**
 * Parses the JSON of a body or a form field. Blank text, arrays and scalars give `{}`.
 * Throws `InputError` for text that does not parse, nests deeper than 64 or has more than 100000 members.
 */
export function parseJsonObject(text: string): Record<string, unknown> {
  if (isOverJsonBounds(text, BOUNDS)) throw new InputError("Malformed request body.");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!/\S/.test(text)) return {};
    throw new InputError(`Failed to parse JSON: ${(error as Error).message}`, { cause: error });
  }
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** For bodies of an unknown type: the object if the text is one, otherwise undefined. */
export function tryJsonObject(text: string): Record<string, unknown> | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    return parseJsonObject(text);
  } catch (error) {
    if (error instanceof InputError && error.cause === undefined) throw error;
    return undefined;
  }
}
