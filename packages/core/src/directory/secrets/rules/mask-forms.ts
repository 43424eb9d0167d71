/** Shorter values are not masked: they stand everywhere by chance. Characters. */
export const MIN_MASKED = 4;
/** A longer text is looked for in pieces of about this size, so that no more is held back from a live log. */
const PIECE = 32;
/** Encoded forms of very many or very long values are left out beyond this; the values themselves never are. */
const MAX_ENCODED = 50_000;
/** Part of a longer base64 text, a shorter value would leave too few characters that are sure. Bytes. */
const MIN_BASE64 = 6;

/**
 * The texts that give a value away: itself, each of its lines, and both as JSON, HTML and addresses write them, and as
 * base64. Each has `MIN_MASKED` to `PIECE` + 1 characters; together they cover every occurrence of a longer one.
 */
export function textsToMask(values: Iterable<string>): ReadonlySet<string> {
  const plain = [...new Set(values)].filter(isTelling);
  const all = new Set<string>();
  const written = plain.flatMap((value) => [value, ...linesOf(value)]);
  for (const text of written) addPieces(all, text);
  const bound = all.size + MAX_ENCODED;
  for (const text of encoded(plain, written)) {
    if (all.size >= bound) break;
    addPieces(all, text);
  }
  return all;
}

const isTelling = (text: string): boolean => text.length >= MIN_MASKED && text.trim() !== "";

/** Lines are often printed one by one, with other breaks or another indentation. */
function linesOf(value: string): string[] {
  return value.includes("\n")
    ? value
        .split("\n")
        .map((line) => line.trim())
        .filter(isTelling)
    : [];
}

function* encoded(values: readonly string[], written: readonly string[]): Generator<string> {
  for (const text of written) for (const form of escapedForms(text)) if (form !== text) yield form;
  for (const value of values) yield* base64Forms(value);
}

const HTML: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escapedForms(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const ascii = json.replace(/[\u007f-\uffff]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const html = text.replace(/[&<>"]/g, (sign) => HTML[sign] ?? sign);
  const address = encodeURIComponent(text.toWellFormed());
  const quoted = html.replaceAll("'", "&#39;");
  // The second stands inside of another JSON text; in the last, blanks are as forms write them.
  return [json, JSON.stringify(json).slice(1, -1), ascii, html, quoted, address, address.replaceAll("%20", "+")];
}

/**
 * The characters that depend on the value alone, not on its neighbours, for each of the three places it may have in a
 * longer base64 text, as in a header of basic authentication.
 */
function base64Forms(value: string): string[] {
  const bytes = Buffer.from(value);
  const whole = bytes.toString("base64").replace(/=+$/, "");
  const inside = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
  const forms = bytes.length < MIN_BASE64 ? [whole] : [whole, ...inside];
  return forms.flatMap((form) => [form, form.replaceAll("+", "-").replaceAll("/", "_")]);
}

/** The last piece overlaps the one before, so that no end is left over. */
function addPieces(all: Set<string>, text: string): void {
  for (let start = 0; start < text.length; start += PIECE) {
    const from = Math.max(0, Math.min(start, text.length - PIECE));
    // No piece begins in the middle of a character: the half before it would have been shown already.
    const isTorn = from > 0 && /[\uDC00-\uDFFF]/.test(text.charAt(from));
    all.add(text.slice(isTorn ? from - 1 : from, from + PIECE));
  }
}
