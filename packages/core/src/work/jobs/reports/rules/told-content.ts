import { isObject } from "../../../../lib/json/is-object.ts";
import { jsonOf } from "../../../../lib/json/json-text.ts";
import { renderMarkdown } from "../../../../lib/markdown/render.ts";
import { escapeHtml, sanitizeHtml } from "../../../../lib/text/html.ts";

type Members = Readonly<Record<string, unknown>>;
type ToHtml = (text: string) => string;

const MAX_CONTENT = 1024 * 1024;
/** Longer Markdown stands as it is written: to read it would hold the loop for more than 30 ms. */
const MAX_MARKDOWN = 64 * 1024;
const preformatted: ToHtml = (text) => `<pre>${escapeHtml(text)}</pre>`;
const rendered: ToHtml = (text) =>
  text.length > MAX_MARKDOWN ? preformatted(text) : sanitizeHtml(renderMarkdown(text));
/** Forms in which a plugin tells content; of several the earliest here counts. */
const FORMS: readonly (readonly [name: string, toHtml: ToHtml])[] = [
  ["html", sanitizeHtml],
  ["markdown", rendered],
  ["text", preformatted],
];

/** `html` of a job, from the form that an update has; without one, nothing. Macros are filled in before it is cleaned. */
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

/** Texts of `{title, content, caption}`; anything else is the content alone. */
function partsOf(told: unknown): Parts {
  const textOf = (value: unknown): string => (typeof value === "string" ? value : (jsonOf(value) ?? ""));
  if (!isObject(told)) return { content: textOf(told) };
  const part = (name: string): string | undefined => (told[name] == null ? undefined : textOf(told[name]));
  return { title: part("title"), content: part("content"), caption: part("caption") };
}
