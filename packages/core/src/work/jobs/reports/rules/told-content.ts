import { isObject } from "../../../../lib/json/is-object.ts";
import { jsonOf } from "../../../../lib/json/json-text.ts";
import { renderMarkdown } from "../../../../lib/markdown/render.ts";
import { escapeHtml, sanitizeHtml } from "../../../../lib/text/html.ts";

type Members = Readonly<Record<string, unknown>>;
type ToHtml = (text: string) => string;

const MAX_CONTENT = 1024 * 1024;
/** Longer Markdown is shown as plain text: parsing it would block the event loop for more than 30 ms. */
const MAX_MARKDOWN = 64 * 1024;
const preformatted: ToHtml = (text) => `<pre>${escapeHtml(text)}</pre>`;
const rendered: ToHtml = (text) =>
  text.length > MAX_MARKDOWN ? preformatted(text) : sanitizeHtml(renderMarkdown(text));
/** Formats in which a plugin may send content; if there are several, the first one of this list is used. */
const FORMS: readonly (readonly [name: string, toHtml: ToHtml])[] = [
  ["html", sanitizeHtml],
  ["markdown", rendered],
  ["text", preformatted],
];

/**
 * The `html` of a job, converted from the format in the update; empty without content. Macros are expanded before the HTML is
 * sanitised.
 */
export function toldContent(sent: Members, expand: (text: string) => string): Members {
  const form = FORMS.find(([name]) => sent[name] !== undefined);
  if (form === undefined) return {};
  const [name, toHtml] = form;
  const { title, content, caption } = partsOf(sent[name]);
  const html = {
    ...(title === undefined ? {} : { title: sanitizeHtml(title) }),
    content: toHtml(expand((content ?? "").slice(0, MAX_CONTENT))),
    ...(caption === undefined ? {} : { caption: sanitizeHtml(caption) }),
  };
  return { html };
}

interface Parts {
  readonly title?: string | undefined;
  readonly content?: string | undefined;
  readonly caption?: string | undefined;
}

/** Texts of `{title, content, caption}`; any other value is only content. */
function partsOf(told: unknown): Parts {
  const textOf = (value: unknown): string => (typeof value === "string" ? value : (jsonOf(value) ?? ""));
  if (!isObject(told)) return { content: textOf(told) };
  const part = (name: string): string | undefined => (told[name] == null ? undefined : textOf(told[name]));
  return { title: part("title"), content: part("content"), caption: part("caption") };
}
