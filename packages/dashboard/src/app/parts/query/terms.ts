/** One term of a query in the search language (docs/contract/search.md): `event:e1`, `"out of memory"`, `disk`. */
export interface Term {
  readonly text: string;
  /** The part before the colon, in lower case; absent for a word. */
  readonly field?: string;
  readonly value: string;
  /** True for a term that excludes matching records. */
  readonly isNot?: boolean;
}

/** Splits a query at spaces outside quotes and brackets. */
export function termsOf(query: string): Term[] {
  const found = query.match(/(?:"[^"]*"?|\([^)]*\)?|[^\s"(])+/g) ?? [];
  return found.map((text) => {
    const [, minus, field, less, value = ""] = /^(-?)(\w+):(-?)(.*)$/s.exec(text) ?? [];
    if (field === undefined) return { text, value: text };
    const isNot = Boolean(minus || less) && value !== "";
    return { text, field: field.toLowerCase(), value: unquoted(value), ...(isNot ? { isNot } : {}) };
  });
}

/** Whether a record matches a term: it has one of the values, or none of them when the term excludes. */
export const isMeant = ({ value, isNot = false }: Term, has: (one: string) => boolean): boolean =>
  value.split("|").some(has) !== isNot;

const unquoted = (value: string): string => value.replace(/^"(.*)"$/s, "$1");

/** A term for a value, quoted if it has spaces. */
export const termOf = (field: string, value: string): string =>
  /[\s"()]/.test(value) ? `${field}:"${value.replaceAll('"', "")}"` : `${field}:${value}`;

export const queryOf = (terms: readonly Pick<Term, "text">[]): string => terms.map(({ text }) => text).join(" ");
