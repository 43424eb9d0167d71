import type { CompiledTemplate, Expressions } from "../../../expressions/index.ts";
import { oneLine } from "./addresses.ts";

/** What stands between the comment marks at the head of a template, by its name in lower case. */
export type MailHeaders = Readonly<Record<string, string>>;

export interface ExpandedMail {
  readonly headers: MailHeaders;
  /** Markdown. */
  readonly body: string;
}

export interface ExpandMailOptions {
  readonly expressions: Expressions;
  readonly data: Readonly<Record<string, unknown>>;
  /** `html`: values are written so that Markdown leaves them as they are. `text`: they stand as they are. */
  readonly form: "html" | "text";
}

/** Where a macro stands, which says how its value is written (part 24 §6.3). */
type Place = "fence" | "code" | "link" | "block" | "line";

const MAX_HEADER = 2000;
const UNDEFINED = "n/a";

/** Undefined, null and empty values are named, so that a mail has no gaps. */
const named = (value: unknown): unknown => (value === undefined || value === null || value === "" ? UNDEFINED : value);

/**
 * Fills a template in. Its header lines are read before expansion and each is filled by itself, so nothing that a macro
 * brings along can add or change one (part 43 §6).
 */
export function expandMail(template: string, { expressions, data, form }: ExpandMailOptions): ExpandedMail {
  const { headers, body } = splitTemplate(template);
  const shared = { undefinedText: UNDEFINED, filter: named };
  const compiled = expressions.compileTemplate(body);
  const places = placesOf(body, compiled);
  let index = 0;
  return {
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, text]) => {
        const value = expressions.compileTemplate(text).expand(data, { ...shared, escape: oneLine });
        return [name, oneLine(value).slice(0, MAX_HEADER)];
      }),
    ),
    body: compiled.expand(data, { ...shared, escape: (text) => written(text, places[index++] ?? "line", form) }),
  };
}

/** The header lines of a template; other comments are left out of its body. */
export function splitTemplate(template: string): { readonly headers: MailHeaders; readonly body: string } {
  const headers: Record<string, string> = {};
  let body = "";
  let rest = template;
  for (let open = rest.indexOf("<!--"); open >= 0; open = rest.indexOf("<!--")) {
    const end = rest.indexOf("-->", open + 4);
    if (end < 0) break;
    body += rest.slice(0, open);
    const [, name = "", value = ""] = /^\s*([A-Za-z_]+)\s*:(.*)$/s.exec(rest.slice(open + 4, end)) ?? [];
    if (name !== "" && body.trim() === "") headers[name.toLowerCase()] = oneLine(value);
    rest = rest.slice(end + 3);
  }
  return { headers, body: (body + rest).replace(/^\s+/, "") };
}

function placesOf(body: string, { macros }: CompiledTemplate): Place[] {
  const places: Place[] = [];
  let isFence = false;
  for (const line of body.split("\n")) {
    if (line.trimStart().startsWith("```")) isFence = !isFence;
    let from = 0;
    for (let next = macros[places.length]; next !== undefined; next = macros[places.length]) {
      const whole = `{{${next}}}`;
      const at = line.indexOf(whole, from);
      if (at < 0) break;
      places.push(isFence ? "fence" : placeInLine(line, at, whole));
      from = at + whole.length;
    }
  }
  return places;
}

function placeInLine(line: string, at: number, whole: string): Place {
  if (line.trim() === whole) return "block";
  const before = line.slice(0, at);
  if ((before.match(/`/g) ?? []).length % 2 === 1) return "code";
  // An address that the template completes: "(https://…?id={{job.id}})".
  return /\]\([^)\s]*$/.test(before) ? "link" : "line";
}

/** A slot is filled in after Markdown was rendered; a value may not look like one. */
export const SLOT = { open: "\uE000", close: "\uE001" } as const;
const withoutSlots = (text: string): string => text.replace(/[\uE000\uE001]/g, "");

/** The one value that is made by us and stands in the mail as it is. */
export const slotOf = (name: string): string => `${SLOT.open}${name}${SLOT.close}`;
const OWN_SLOT = /^\uE000\w+\uE001$/;

function written(given: string, place: Place, form: "html" | "text"): string {
  if (OWN_SLOT.test(given)) return given;
  const text = withoutSlots(given);
  // A line of its own in the mail would be read as a part of its template.
  if (form === "text") return place === "fence" || place === "block" ? text : oneLine(text);
  switch (place) {
    case "fence":
      return text.replace(/`{3,}/g, "''");
    case "code":
      return oneLine(text).replace(/`/g, "'");
    case "link":
      return oneLine(text).replace(
        /[\s()<>"\\]/g,
        (letter) => `%${letter.charCodeAt(0).toString(16).padStart(2, "0")}`,
      );
    case "block":
      return text;
    case "line":
      return (
        oneLine(text)
          .replace(/[\\`*[\]]/g, "\\$&")
          // First on its line it would begin a heading, a quote or a list.
          .replace(/^[#>+-]/, "\\$&")
          .replace(/^\d+(?=[.)])/, "$&\\")
      );
  }
}
