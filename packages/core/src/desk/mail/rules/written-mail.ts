import { renderMarkdown } from "../../../lib/markdown/render.ts";
import { escapeHtml } from "../../../lib/text/html.ts";
import { oneLine } from "../../../lib/text/one-line.ts";
import type { Block } from "../../texts/user-content.ts";

/** A file in the request, with the names by which the text may refer to it. */
export interface NamedFile {
  readonly field: string;
  readonly filename: string;
}

export interface WrittenBody extends Block {
  /** Content id of each file that the HTML shows; undefined = the file is only attached. */
  readonly contentIds: readonly (string | undefined)[];
}

/** An image: `![words](cid:name)`, or an `<img>` whose source is `"cid:name"`, the only tag that counts. */
const PICTURE =
  /!\[([^\]\n]{0,200})\]\(cid:([^()\s]{1,255})\)|<img\s[^<>]{0,500}?src=(["'])cid:([^"'<>]{1,255})\3[^<>]{0,500}>/gi;

/** A text in Markdown that a person wrote, with the files that it shows. Macros in it are not expanded. */
export function writtenBody(body: string, files: readonly NamedFile[], host: string): WrittenBody {
  const shown: (string | undefined)[] = files.map(() => undefined);
  const pictures: { readonly id: string; readonly words: string }[] = [];
  const indexOf = (name: string): number =>
    files.findIndex(({ field, filename }) => filename === name || filename === decoded(name) || field === name);
  const clean = body.replace(/[\uE000\uE001]/g, "");
  const marked = clean.replace(
    PICTURE,
    (whole: string, words: string | undefined, one: string | undefined, _quote, other: string | undefined) => {
      const index = indexOf(one ?? other ?? "");
      if (index < 0) return whole;
      const id = `file${index + 1}@${host}`;
      shown[index] = id;
      pictures.push({ id, words: oneLine(words || (files[index]?.filename ?? "")) });
      return `\uE000${pictures.length - 1}\uE001`;
    },
  );
  const filled = (text: string, write: (picture: { readonly id: string; readonly words: string }) => string): string =>
    text.replace(/\uE000(\d+)\uE001/g, (_mark, index: string) => {
      const picture = pictures[Number(index)];
      return picture ? write(picture) : "";
    });
  return {
    text: filled(marked, ({ words }) => `[${words}]`),
    html: filled(
      renderMarkdown(marked),
      ({ id, words }) => `<img src="cid:${escapeHtml(id)}" alt="${escapeHtml(words)}" style="max-width:100%">`,
    ),
    contentIds: shown,
  };
}

function decoded(name: string): string | undefined {
  try {
    return decodeURIComponent(name);
  } catch {
    // Not a valid escape sequence, so the name is not encoded.
    return undefined;
  }
}

/** Headers that only the engine or the transport sets. */
const RESERVED =
  /^(?:from|to|cc|bcc|sender|subject|date|message-id|references|mime-version|return-path|received|dkim-signature|content-.*|resent-.*|arc-.*)$/i;
const NAME = /^[A-Za-z][A-Za-z0-9-]{0,75}$/;
const MAX_HEADERS = 50;
const MAX_VALUE = 900;

/** Headers in the form to send; undefined if callers may not set one of them. */
export function writtenHeaders(headers: Readonly<Record<string, unknown>>): Record<string, string> | undefined {
  const entries = Object.entries(headers);
  const isAllowed = ([name, value]: [string, unknown]): boolean =>
    NAME.test(name) && !RESERVED.test(name) && ["string", "number", "boolean"].includes(typeof value);
  if (entries.length > MAX_HEADERS || !entries.every(isAllowed)) return undefined;
  return Object.fromEntries(entries.map(([name, value]) => [name, oneLine(String(value)).slice(0, MAX_VALUE)]));
}
