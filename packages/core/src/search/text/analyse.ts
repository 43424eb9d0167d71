/** Most tokens kept of one field; later ones are not found (docs/contract/search.md#text). */
const MAX_WORDS = 5000;
const MAX_KEYWORDS = 255;
export const MAX_KEYWORD_LENGTH = 255;
/** Longest word of the `keywords` of the activity log. */
export const MAX_WORD_LENGTH = 128;

const LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  ł: "l",
  þ: "th",
  ı: "i",
};

/** Token between entries of one field, so that no phrase spans two entries; longer than any stemmed word. */
export const ENTRY_BREAK = "_".repeat(40);

/** Most characters read of a text, which may have any length; the words that are kept fit into far fewer. */
const MAX_TEXT = 500_000;

/**
 * Characters analysed in one go. Only the first five thousand words are kept, so most of a long text is never analysed: a ticket
 * of 240,000 characters took 15 ms in one go.
 */
const PART = 32_768;

/** A token is a run of letters, digits and `_`; each ideograph is its own token. */
const TOKEN = /[\p{Script=Han}&&[\p{L}\p{N}]]|[[\p{L}\p{N}_]--\p{Script=Han}]+/gv;

/**
 * The tokens of a text, by the same rules for records and queries: folded to plain lower case, URLs cut to their host, dots
 * inside numbers written `_`. Leaves out longer tokens without a gap. Returns at most `most`.
 */
export function tokensOf(text: string, maxLength: number, most: number): string[] {
  const only = onlyToken(text);
  if (only !== undefined) return only.length <= maxLength && only !== ENTRY_BREAK ? [only] : [];
  const bounded = text.slice(0, MAX_TEXT);
  let tokens: string[] = [];
  for (let at = 0; at < bounded.length && tokens.length < most; ) {
    const end = endOfPart(bounded, at);
    tokens = tokens.concat(tokensOfPart(bounded.slice(at, end), maxLength));
    at = end;
  }
  return tokens.slice(0, most);
}

/** Whether a text has a word that is left out as too long. */
export const hasLongWord = (text: string, maxLength: number): boolean =>
  tokensOf(text, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY).some((token) => !fits(token, maxLength));

/** Longest token that an index entry can hold, in letters. */
const MAX_LETTERS = 500;

/**
 * Whether a token is short enough. Folding turns a Hangul syllable into up to three letters; it counts as one, as it was written.
 */
function fits(token: string, maxLength: number): boolean {
  if (token.length <= maxLength) return true;
  return token.length <= Math.min(3 * maxLength, MAX_LETTERS) && token.normalize("NFC").length <= maxLength;
}

/** End of a part of a long text: at a space or line end, which no token spans. */
function endOfPart(text: string, start: number): number {
  if (text.length - start <= PART) return text.length;
  const blank = /[ \n]/g;
  blank.lastIndex = start + PART;
  return blank.test(text) ? blank.lastIndex : text.length;
}

function tokensOfPart(text: string, maxLength: number): string[] {
  const isPlain = PLAIN.test(text);
  let folded = isPlain ? text.toLowerCase() : fold(text);
  if (folded.includes("://")) folded = folded.replace(/\b\w+:\/\/([^\s/]*)\S*/g, "$1");
  folded = folded.replace(/['’]/g, "");
  if (folded.includes(".")) folded = folded.replace(/\d[\d.]*/g, joinDigits);
  const tokens = folded.match(isPlain ? PLAIN_TOKEN : TOKEN) ?? [];
  return tokens.filter((token) => fits(token, maxLength) && token !== ENTRY_BREAK);
}

/** Fast path: ids, plain names and addresses are one token each, and a row of the activity log holds little else. */
function onlyToken(text: string): string | undefined {
  if (text.length > MAX_SINGLE) return undefined;
  if (WORD.test(text)) return text;
  return NUMBERS.test(text) ? text.replaceAll(".", "_") : undefined;
}

const MAX_SINGLE = 255;
const FEW = 16;
const WORD = /^[a-z0-9_]+$/;
const NUMBERS = /^\d+(?:\.\d+)+$/;

/** Fast path for most other names, which need no folding. */
const PLAIN = /^\p{ASCII}*$/u;
const PLAIN_TOKEN = /[a-z0-9_]+/g;

const fold = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/[ßæœøđðłþı]/g, (letter) => LETTERS[letter] ?? letter);

/** `2.5.1` is one token; a trailing dot still separates. */
const joinDigits = (run: string): string => {
  const joined = run.split(".").filter(Boolean).join("_");
  return run.endsWith(".") ? `${joined} ` : joined;
};

/** Any value of a record as texts, one for each element; empty for objects and absent values. */
export const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value : [value]).map(scalarText);
const scalarText = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";

/** For names: each run of other characters becomes one `_`. Combining marks stay until they are folded. */
const nameOf = (text: string): string => text.normalize("NFC").replace(/[^\p{L}\p{N}\p{M}_]+/gu, "_");

/**
 * Tokens of a keyword field, each once: of a scalar, or of the elements of a list. `alphanum` is for names, whose
 * other characters become `_` ("linus.t" is `linus_t`).
 *
 * @see docs/contract/search.md#text
 */
export function analyseKeywords(value: unknown, { alphanum = false }: { readonly alphanum?: boolean } = {}): string[] {
  const texts = textsOf(value).filter((text) => text !== "");
  const tokens = texts.flatMap((text) => tokensOf(alphanum ? nameOf(text) : text, MAX_KEYWORD_LENGTH, MAX_KEYWORDS));
  return [...new Set(tokens.slice(0, MAX_KEYWORDS))];
}

/** Tokens of a field of plain words (`keywords`), in order and with repetitions. */
export function analyseWords(value: unknown, maxLength = MAX_WORD_LENGTH): string[] {
  const texts = textsOf(value);
  // The tokens of a text do not depend on its neighbours; many texts are joined, so that one bound covers all of them.
  const parts = texts.length > FEW ? [texts.join(" ")] : texts;
  return parts.flatMap((text) => tokensOf(text, maxLength, MAX_WORDS)).slice(0, MAX_WORDS);
}
