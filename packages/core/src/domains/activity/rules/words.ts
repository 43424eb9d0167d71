/** Longer words are not indexed (part 41 §4). */
const MAX_LENGTH = 128;

const LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ð: "d", ł: "l", þ: "th", ı: "i" },
};

/**
 * The words of a text, the same for what is stored and for what is asked (part 41 §4, without stems): folded to plain
 * lower case, URLs cut to their host, dots inside numbers written `_`, so that an address is one word.
 */
export function wordsOf(text: string): string[] {
  const plain = text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/[ßæœøđðłþı]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(/\b\w+:\/\/([^\s/]*)\S*/g, "$1")
    .replace(/['’]/g, "")
    .replace(/\d[\d.]*/g, (run) => run.split(".").filter(Boolean).join("_"));
  return (plain.match(/[\p{L}\p{N}_]+/gu) ?? []).filter((word) => word.length <= MAX_LENGTH);
}
