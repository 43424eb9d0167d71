import { joinedText } from "../../../lib/text/text-of.ts";

type Members = Readonly<Record<string, unknown>>;

/**
 * True when every criterion equals the record's member, as loosely as query texts require
 * (docs/contract/events.md#filters-of-lists).
 */
export function matchesCriteria(record: Members, criteria: Members): boolean {
  return Object.entries(criteria).every(([member, wanted]) => isAlike(record[member], wanted));
}

function isAlike(stored: unknown, wanted: unknown): boolean {
  if (isBooleanWord(stored) || isBooleanWord(wanted)) return toBoolean(stored) === toBoolean(wanted);
  return joinedText(stored) === joinedText(wanted);
}

const isBooleanWord = (value: unknown): boolean => typeof value === "boolean" || value === "true" || value === "false";

/** Undefined for a value that is not a boolean in any spelling. */
function toBoolean(value: unknown): boolean | undefined {
  if (value === true || value === 1 || value === "true" || value === "1") return true;
  const isFalse = value === undefined || value === null || value === false || value === 0;
  return isFalse || value === "false" || value === "0" || value === "" ? false : undefined;
}

/** A list with one element matches what that element matches, as with `==`. */
