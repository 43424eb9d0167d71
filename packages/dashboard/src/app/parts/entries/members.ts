import type { Choice } from "../forms/fields.tsx";

/** An entry of a list, whose type determines its members: a trigger, a limit, an action, a question. */
export type Entry = { readonly type: string; readonly enabled?: unknown; readonly [member: string]: unknown };

/** A member of entries of one type, and the field for it. */
export interface Member {
  readonly name: string;
  readonly title: () => string;
  readonly kind: "text" | "area" | "number" | "check" | "time" | "texts" | "numbers" | "one" | "many" | "object";
  readonly choices?: () => readonly Choice[];
}

export interface EntryType {
  readonly title: () => string;
  readonly members: readonly Member[];
  /** Initial members of a new entry. */
  readonly start?: () => Readonly<Record<string, unknown>>;
}
export type EntryTypes = Readonly<Record<string, EntryType>>;

/** A list as text and back: values separated by commas, without empty ones. */
export const textsOf = (text: string): readonly string[] =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);

/** Parses whole numbers, `1, 5, -1` or `8-12`; undefined for anything else. */
export function numbersIn(text: string): readonly number[] | undefined {
  const found = textsOf(text).flatMap((part) => {
    const [, from, to] = /^(-?\d+)(?:-(\d+))?$/.exec(part) ?? [];
    if (from === undefined) return [Number.NaN];
    const [first, last] = [Number(from), Number(to ?? from)];
    return last < first || last - first > 400
      ? [Number.NaN]
      : Array.from({ length: last - first + 1 }, (_, at) => first + at);
  });
  return found.some(Number.isNaN) ? undefined : [...new Set(found)];
}

export const withMember = (entry: Entry, name: string, value: unknown): Entry => ({ ...entry, [name]: value });
