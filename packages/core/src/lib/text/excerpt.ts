/** Bytes of output at each end of an excerpt (docs/contract/mail.md#mail-of-jobs-and-alerts). */
export const EXCERPT_BYTES = 16 * 1024;

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for terminal sequences
const TERMINAL = /\x1b\[[0-9;?]{0,32}[A-Za-z]|[\x00-\x08\x0b-\x1f\x7f]/g;

/** Output as a mail shows it: without terminal sequences and code fences. */
export function excerptText(output: string): string {
  const text = output.replace(TERMINAL, "").replace(/`{3,}/g, "''").trim();
  return text === "" ? "n/a" : text;
}

/** The first and the last part of a longer output. */
export const joinExcerpt = (first: string, last: string): string => `${first}\n\n[…]\n\n${last}`;
