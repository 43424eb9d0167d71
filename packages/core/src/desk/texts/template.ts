import type { CompiledTemplate, Expressions } from "../../expressions/index.ts";
import { oneLine } from "../../lib/text/one-line.ts";

/** Header lines from the comments at the beginning of a template, by lower-case name. */
export type MailHeaders = Readonly<Record<string, string>>;

export interface ExpandedMail {
  readonly headers: MailHeaders;
  /** Markdown. `html`: values are escaped so that Markdown leaves them unchanged. `text`: values are inserted unchanged. */
  body(form: "html" | "text"): string;
}

export interface ExpandMailOptions {
  readonly expressions: Expressions;
  readonly data: Readonly<Record<string, unknown>>;
  /** Macros with these names leave a slot that `fillText` or `fillHtml` fills in. A value cannot create a slot. */
  readonly slots?: ReadonlySet<string>;
}

/** Where a macro stands, which decides how its value is written (docs/contract/expressions.md#insertion). */
type Place = "fence" | "code" | "link" | "block" | "begin" | "line";

const MAX_HEADER = 2000;
/** Characters of an address header, so high because a list must not be cut within an address. */
const MAX_ADDRESSES = 200_000;
const LISTS: ReadonlySet<string> = new Set(["to", "cc", "bcc"]);
const UNDEFINED = "n/a";
const NO_SLOTS: ReadonlySet<string> = new Set();

/** The value, or a placeholder for an undefined, null or empty one, so that a mail has no gaps. */
const named = (value: unknown): unknown => (value === undefined || value === null || value === "" ? UNDEFINED : value);

/**
 * Fills in a template. Reads its header lines before expansion and fills in each one separately, so no value can add or change a
 * header (docs/contract/mail.md#sending).
 */
export function expandMail(template: string, { expressions, data, slots = NO_SLOTS }: ExpandMailOptions): ExpandedMail {
  const { headers, body } = splitTemplate(template);
  const shared = { undefinedText: UNDEFINED, filter: named };
  const compiled = expressions.compileTemplate(body);
  const places = placesOf(body, compiled);
  return {
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, text]) => {
        const value = expressions.compileTemplate(text).expand(data, { ...shared, escape: oneLine });
        return [name, oneLine(value).slice(0, LISTS.has(name) ? MAX_ADDRESSES : MAX_HEADER)];
      }),
    ),
    body(form) {
      let index = 0;
      const write = (text: string): string => {
        const at = index++;
        const macro = compiled.macros[at]?.trim() ?? "";
        return slots.has(macro) ? `\uE000${macro}\uE001` : written(text, places[at] ?? "line", form);
      };
      return compiled.expand(data, { ...shared, escape: write });
    },
  };
}

/** Splits the header lines from the body; other comments are removed from the body. */
export function splitTemplate(template: string): { readonly headers: MailHeaders; readonly body: string } {
  const headers: Record<string, string> = {};
  let body = "";
  let isHead = true;
  let rest = template;
  for (let open = rest.indexOf("<!--"); open >= 0; open = rest.indexOf("<!--")) {
    const end = rest.indexOf("-->", open + 4);
    if (end < 0) break;
    const before = rest.slice(0, open);
    isHead &&= before.trim() === "";
    body += before;
    const [, name = "", value = ""] = /^\s*([A-Za-z_]+)\s*:(.*)$/s.exec(rest.slice(open + 4, end)) ?? [];
    if (name !== "" && isHead) headers[name.toLowerCase()] = oneLine(value);
    rest = rest.slice(end + 3);
  }
  return { headers, body: (body + rest).replace(/^\s+/, "") };
}

/** The texts of a template that contain macros, each of which is compiled separately. */
export function partsOfTemplate(template: string): string[] {
  const { headers, body } = splitTemplate(template);
  return [...Object.values(headers), body];
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
  // The macro is part of a link's address: "(https://…?id={{job.id}})".
  const address = before.lastIndexOf("](");
  if (address >= 0 && !/[)\s]/.test(before.slice(address + 2))) return "link";
  return /^[\s>#*+-]*$/.test(before) ? "begin" : "line";
}

/** Slots are filled in after Markdown was rendered, so a value must not contain their marks. */
const withoutSlots = (text: string): string => text.replace(/[\uE000\uE001]/g, "");

/** Inserts blocks into the plain text; an empty block also removes the gap after it. */
export function fillText(text: string, blocks: Readonly<Record<string, { readonly text: string }>>): string {
  return text.replace(/\uE000(\w+)\uE001(\n*)/g, (_slot, name: string, gap: string) => {
    const filled = Object.hasOwn(blocks, name) ? (blocks[name]?.text ?? "") : "";
    return filled === "" ? "" : `${filled}${gap}`;
  });
}

/** Inserts blocks into HTML where they form a whole paragraph; elsewhere they would break the paragraph. */
export function fillHtml(html: string, blocks: Readonly<Record<string, { readonly html: string }>>): string {
  return html.replace(/<p>\uE000(\w+)\uE001<\/p>|\uE000\w+\uE001/g, (_slot, name: string | undefined) =>
    name !== undefined && Object.hasOwn(blocks, name) ? (blocks[name]?.html ?? "") : "",
  );
}

function written(given: string, place: Place, form: "html" | "text"): string {
  const text = withoutSlots(given);
  // A value within a line must not break it: its second line would look like part of the template.
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
    case "begin":
      return plainLine(text);
    case "line":
      return withinLine(text);
  }
}

const withinLine = (text: string): string => oneLine(text).replace(/[\\`*[\]|]/g, "\\$&");

/** Escapes a value so that Markdown leaves it unchanged, within a line or at its beginning. */
export const plainLine = (text: string): string =>
  withinLine(text)
    // At the beginning of a line these would start a heading, a quote or a list.
    .replace(/^[#>+-]/, "\\$&")
    .replace(/^\d+(?=[.)])/, "$&\\");
