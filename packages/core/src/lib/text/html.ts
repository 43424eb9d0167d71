/** Tags that content of a job may use; all others are escaped. */
const ALLOWED: ReadonlySet<string> = new Set([
  ...["a", "b", "strong", "i", "em", "u", "s", "code", "pre", "p", "br", "hr", "div", "span", "blockquote"],
  ...["h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "dl", "dt", "dd"],
  ...["table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td", "small", "sub", "sup", "details", "summary"],
]);
const TAG = /<(\/?)([a-zA-Z][a-zA-Z0-9]*)((?:[^<>"']|"[^"<>]*"|'[^'<>]*')*)>/g;
const LINK = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/i;
/** Links that only open a page; blanks and entities are refused too, because they could hide a colon. */
const SAFE_LINK = /^(?:https?:\/\/|mailto:|#|\/)[^\s"'<>&]*(?:&amp;[^\s"'<>&]*)*$/i;

export const escapeHtml = (text: string): string =>
  text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");

/** Keeps a fixed list of tags, without attributes (links keep a safe address); escapes any other `<`. */
export function sanitizeHtml(html: string): string {
  let clean = "";
  let end = 0;
  for (const match of html.matchAll(TAG)) {
    clean += looseBrackets(html.slice(end, match.index)) + cleanTag(match);
    end = match.index + match[0].length;
  }
  return clean + looseBrackets(html.slice(end));
}

const looseBrackets = (text: string): string => text.replace(/</g, "&lt;").replace(/>/g, "&gt;");

function cleanTag([whole, slash = "", name = "", attributes = ""]: RegExpExecArray): string {
  const tag = name.toLowerCase();
  if (!ALLOWED.has(tag)) return looseBrackets(whole);
  if (tag !== "a" || slash) return `<${slash}${tag}>`;
  const [, double, single] = LINK.exec(attributes) ?? [];
  const address = double ?? single ?? "";
  return SAFE_LINK.test(address) ? `<a href="${address}" rel="noopener noreferrer">` : "<a>";
}
