/** Characters. Shorter values are not masked, because they occur everywhere by chance. */
export const MIN_MASKED = 4;
/** Characters. Longer texts are searched in pieces of about this size, so that no more of a live log is held back. */
const PIECE = 32;
/** Most encoded forms. Forms of very many or very long values are left out beyond it. The values themselves never are. */
const MAX_ENCODED = 50_000;
/** Bytes. A shorter value inside a longer base64 text has too few characters that depend only on it. */
const MIN_BASE64 = 6;

/**
 * The texts that reveal a value: the value, each of its lines, both in the forms of JSON, HTML and addresses, and base64. Each
 * has `MIN_MASKED` to `PIECE` + 1 characters; together they cover every occurrence of a longer text.
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

/** Lines of a value, which are often printed one by one, with other line breaks or indentation. */
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
  // The second form occurs inside another JSON text; in the last, blanks are encoded as in forms.
  return [json, JSON.stringify(json).slice(1, -1), ascii, html, quoted, address, address.replaceAll("%20", "+")];
}

/** Characters of a line at which tools wrap base64: `base64` and mails at 76, `openssl` at 64. */
const LINES = [76, 64];

const inLines = (text: string, size: number): string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, line) => text.slice(line * size, (line + 1) * size)).filter(
    isTelling,
  );

/**
 * The base64 characters that depend only on the value and not on its neighbours, for each of its three possible alignments in a
 * longer base64 text, such as a header of basic authentication.
 */
function base64Forms(value: string): string[] {
  const bytes = Buffer.from(value);
  const whole = bytes.toString("base64").replace(/=+$/, "");
  const inside = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
  const wrapped = LINES.flatMap((size) => (whole.length > size ? inLines(inside[0] ?? "", size) : []));
  const forms = bytes.length < MIN_BASE64 ? [whole] : [whole, ...inside, ...wrapped];
  return forms.flatMap((form) => [form, form.replaceAll("+", "-").replaceAll("/", "_")]);
}

/** Adds a text in pieces. The last piece overlaps the one before, so that no short rest is left. */
function addPieces(all: Set<string>, text: string): void {
  for (let start = 0; start < text.length; start += PIECE) {
    const from = Math.max(0, Math.min(start, text.length - PIECE));
    // A piece must not begin inside a surrogate pair: the first half would already have been shown.
    const isTorn = from > 0 && /[\uDC00-\uDFFF]/.test(text.charAt(from));
    all.add(text.slice(isTorn ? from - 1 : from, from + PIECE));
  }
}
