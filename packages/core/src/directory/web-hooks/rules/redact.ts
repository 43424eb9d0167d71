/** Replaces secrets where people may read. */
export const REDACTED = "(REDACTED)";

export type Redact = (text: string) => string;

/**
 * Hides every occurrence of the values, raw or encoded as in URLs, forms and JSON. Overlapping occurrences are hidden as one, so
 * that no part of a value remains beside another.
 */
export function createRedact(values: readonly string[]): Redact {
  const forms = new Set(values.flatMap(formsOf));
  // An empty value occurs everywhere.
  forms.delete("");
  if (forms.size === 0) return (text) => text;
  return (text) => hide(text, spansOf(text, forms));
}

function formsOf(value: string): string[] {
  const text = value.toWellFormed();
  const encoded = [encodeURIComponent(text), encodeURI(text), new URLSearchParams([["", text]]).toString().slice(1)];
  const json = JSON.stringify(text).slice(1, -1);
  return [
    value,
    ...encoded,
    ...encoded.map((form) => form.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase())),
    json,
    json.replaceAll("/", "\\/"),
    json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  ];
}

interface Span {
  readonly start: number;
  end: number;
}

/**
 * Adds a hit and merges it with one that it touches: a megabyte of one letter has a million hits, whose memory alone may take
 * seconds.
 */
function add(hits: Span[], start: number, end: number): void {
  const last = hits.at(-1);
  if (last && start <= last.end) last.end = end;
  else hits.push({ start, end });
}

function spansOf(text: string, forms: ReadonlySet<string>): Span[] {
  return [...forms].flatMap((form) => hitsOf(text, form)).sort((a, b) => a.start - b.start);
}

/** Returns every occurrence, including overlapping ones. */
function hitsOf(text: string, form: string): Span[] {
  const hits: Span[] = [];
  let borders: Int32Array | undefined;
  for (let start = text.indexOf(form); start !== -1; ) {
    borders ??= bordersOf(form);
    start = text.indexOf(form, follow(text, form, { start, borders, hits }));
  }
  return hits;
}

/**
 * Continues after a hit for as long as another one may have begun inside it (Knuth, Morris and Pratt). Searching again one
 * character further would take quadratic time in adversarial text: 17 seconds for a megabyte of one letter. Returns the position
 * from which no hit is in progress.
 */
function follow(
  text: string,
  form: string,
  { start, borders, hits }: { readonly start: number; readonly borders: Int32Array; readonly hits: Span[] },
): number {
  let end = start + form.length;
  add(hits, start, end);
  let known = borders[form.length] ?? 0;
  for (; known > 0 && end < text.length; end++) {
    while (known > 0 && form[known] !== text[end]) known = borders[known] ?? 0;
    if (form[known] === text[end]) known += 1;
    if (known < form.length) continue;
    add(hits, end + 1 - form.length, end + 1);
    known = borders[known] ?? 0;
  }
  return end;
}

/** Longest border of each prefix of the text, by the prefix's length: its longest proper prefix that is also its suffix. */
function bordersOf(form: string): Int32Array {
  const borders = new Int32Array(form.length + 1);
  for (let at = 1, known = 0; at < form.length; at++) {
    while (known > 0 && form[known] !== form[at]) known = borders[known] ?? 0;
    if (form[known] === form[at]) known += 1;
    borders[at + 1] = known;
  }
  return borders;
}

function hide(text: string, spans: readonly Span[]): string {
  const parts: string[] = [];
  let shownFrom = 0;
  let hiddenTo = -1;
  for (const { start, end } of spans) {
    if (start > hiddenTo) parts.push(text.slice(shownFrom, start), REDACTED);
    hiddenTo = Math.max(hiddenTo, end);
    shownFrom = hiddenTo;
  }
  parts.push(text.slice(shownFrom));
  return parts.join("");
}
