import { isSurelyLonger } from "../../../lib/json/json-size.ts";
import { NESTED_PREFERENCES, SIMPLE_PREFERENCES } from "../model.ts";

const NAMES: ReadonlySet<string> = new Set([...SIMPLE_PREFERENCES, ...NESTED_PREFERENCES]);
const MAX_NESTED_LENGTH = 65_536;

export const isPreference = (member: string): boolean => NAMES.has(member);

/** The preferences among the members of an object. */
export function preferencesOf(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).filter(([member, value]) => isPreference(member) && value !== undefined),
  );
}

/** True for data whose JSON text is of bearable length; false for values that JSON cannot hold. */
export function isSmall(value: unknown): boolean {
  try {
    return !isSurelyLonger(value, MAX_NESTED_LENGTH) && (JSON.stringify(value) ?? "").length <= MAX_NESTED_LENGTH;
  } catch {
    // Big integers and values that hold themselves have no JSON text: the answer is no.
    return false;
  }
}
