/** Stands for secrets wherever people may read. */
export const REDACTED = "(REDACTED)";

export type Redact = (text: string) => string;

/**
 * Hides every occurrence of the values, raw or encoded as in URLs, forms and JSON. Occurrences that overlap are hidden
 * as one, so that no rest of one value is left beside another.
 */
export function createRedact(values: readonly string[]): Redact {
  const forms = new Set(values.flatMap(formsOf));
  // An empty value is everywhere.
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
  readonly end: number;
}

function spansOf(text: string, forms: ReadonlySet<string>): Span[] {
  const spans: Span[] = [];
  // On past each hit: looking again one further would take quadratic time in a text made for it.
  for (const form of forms)
    for (let start = text.indexOf(form); start !== -1; start = text.indexOf(form, start + form.length))
      spans.push({ start, end: start + form.length });
  return spans.sort((a, b) => a.start - b.start);
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
