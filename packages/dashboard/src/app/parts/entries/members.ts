import type { Choice } from "../forms/fields.tsx";

/** An entry of a list whose type says which members there are: a trigger, a limit, an action, a question. */
export type Entry = { readonly type: string; readonly enabled?: unknown; readonly [member: string]: unknown };

/** One member of a type of entries, and how it is asked for. */
export interface Member {
  readonly name: string;
  readonly title: () => string;
  readonly kind: "text" | "area" | "number" | "check" | "time" | "texts" | "numbers" | "one" | "many" | "object";
  readonly choices?: () => readonly Choice[];
}

export interface EntryType {
  readonly title: () => string;
  readonly members: readonly Member[];
  /** First members of a new entry. */
  readonly start?: () => Readonly<Record<string, unknown>>;
}
export type EntryTypes = Readonly<Record<string, EntryType>>;

/** A list as text and back: parts between commas, empty ones left out. */
export const textsOf = (text: string): readonly string[] =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);

/** Whole numbers of a text, `1, 5, -1` or `8-12`; undefined when something else stands in it. */
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
