import { ENTRY_BREAK, textsOf, tokensOf } from "./analyse.ts";
import { removeMarkup } from "./markup.ts";
import { stem } from "./stem.ts";

/** Longer words are left out (docs/contract/search.md#text). */
export const MAX_LENGTH = 32;
const MAX_WORDS = 5000;

/** Options of analysing a text. */
export interface TextAnalysis {
  readonly markup?: "markdown" | "html";
  /** Most words to keep; default 5000. */
  readonly maxWords?: number;
}

/**
 * Tokens of a full-text field, in order: without markup, folded, stemmed. Use it to declare the `text` of a collection;
 * queries are analysed by the same rules.
 *
 * @see docs/contract/search.md#text
 */
export function analyseText(value: unknown, { markup, maxWords = MAX_WORDS }: TextAnalysis = {}): string[] {
  const text = textsOf(value).join(" ");
  return tokensOf(markup === undefined ? text : removeMarkup(text, markup), MAX_LENGTH, maxWords).map(stem);
}

/** Joins the tokens of several texts of one field so that no phrase spans two texts. */
export const separateEntries = (entries: readonly (readonly string[])[]): string[] =>
  entries.flatMap((tokens, index) => (index === 0 ? tokens : [ENTRY_BREAK, ...tokens]));
