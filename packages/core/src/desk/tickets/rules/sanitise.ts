import { rememberSearch } from "../../../lib/remember-search.ts";
import { stripTags } from "../../../wire/fields/strip-tags.ts";

/** Reduces a subject to one line of plain text; "" = nothing is left (docs/contract/tickets.md#texts). */
export function cleanSubject(subject: unknown): string {
  const text = stripTags(String(subject)).replace(/[\n\r\u2028\u2029]+/g, " ");
  return /\S/.test(text) ? text : "";
}

/** Characters processed in all rounds on one text together, so that a hostile text does not block the event loop. */
const MAX_EFFORT = 16_000_000;
const MIN_ROUNDS = 8;
const MAX_ROUNDS = 200;

/**
 * Markdown without HTML: removes elements that run or load something with their content, and of all others only the tags. Also
 * removes tags that form only once inner ones are removed. "a < b and c > d" and links like `<https://…>` stay.
 */
export function cleanBody(body: string): string {
  const rounds = Math.min(MAX_ROUNDS, Math.max(MIN_ROUNDS, Math.floor(MAX_EFFORT / (body.length + 1))));
  let text = body;
  for (let round = 0; round < rounds; round++) {
    if (!text.includes("<")) return text;
    const cleaner = removeTags(removeDeclarations(removeElements(text)));
    if (cleaner === text) return text;
    text = cleaner;
  }
  // Only hostile texts nest tags in tags this deeply.
  return text.replaceAll("<", "");
}

const ACTIVE = /<(\/?)(script|style|template|iframe|object|embed)(?=[\s/>])/gi;

interface Mark {
  readonly at: number;
  readonly name: string;
  readonly closes: boolean;
}

/**
 * Removes whole elements from their opening tag to the next closing tag of the same name; unclosed ones are left to `removeTags`.
 */
function removeElements(text: string): string {
  const marks = [...text.matchAll(ACTIVE)].map(
    ({ index, 1: slash, 2: name = "" }): Mark => ({ at: index, name: name.toLowerCase(), closes: slash === "/" }),
  );
  if (marks.length === 0) return text;
  const closings = closingsOf(marks);
  let out = "";
  let kept = 0;
  for (const [index, { at }] of marks.entries()) {
    const closing = closings[index];
    if (at < kept || closing === undefined) continue;
    const end = text.indexOf(">", closing);
    // If this one has no end, no later one has.
    if (end === -1) break;
    out += text.slice(kept, at);
    kept = end + 1;
  }
  return out + text.slice(kept);
}

/** For each opening mark the place where its element is closed. */
function closingsOf(marks: readonly Mark[]): (number | undefined)[] {
  const next = new Map<string, number>();
  const closings: (number | undefined)[] = [];
  for (let index = marks.length - 1; index >= 0; index--) {
    const { at, name, closes } = marks[index] as Mark;
    if (closes) next.set(name, at);
    closings[index] = closes ? undefined : next.get(name);
  }
  return closings;
}

/** Removes comments, `<!…>` and `<?…?>`. Each search continues where the last one of its kind ended. */
function removeDeclarations(text: string): string {
  const openings = /<[!?]/g;
  const search = (end: string) =>
    rememberSearch((from) => {
      const index = text.indexOf(end, from);
      return index === -1 ? Number.POSITIVE_INFINITY : index + end.length;
    });
  const [comment, instruction, tag] = [search("-->"), search("?>"), search(">")];
  let out = "";
  let kept = 0;
  for (let match = openings.exec(text); match; match = openings.exec(text)) {
    const { index } = match;
    const whole = match[0] === "<?" ? instruction(index + 2) : commentEnd(text, index, comment);
    const end = whole === Number.POSITIVE_INFINITY ? tag(index + 2) : whole;
    if (end === Number.POSITIVE_INFINITY) break;
    out += text.slice(kept, index);
    kept = end;
    openings.lastIndex = end;
  }
  return out + text.slice(kept);
}

const commentEnd = (text: string, index: number, search: (from: number) => number): number =>
  text.startsWith("<!--", index) ? search(index + 4) : Number.POSITIVE_INFINITY;

/** A name, then the end of the tag or attributes, with `>` inside quotes or not. */
const TAG = /<\/?[a-z][a-z0-9:-]*(?:[\s/](?:(?:[^<>"']|"[^"]*"|'[^']*')*|[^<>]*))?>/gi;
/** `<scheme:…>` without a space is a Markdown link. */
const LINK = /^<[a-z][a-z0-9+.-]*:\/[^\s<>]*>$/i;

const removeTags = (text: string): string => text.replace(TAG, (tag) => (LINK.test(tag) ? tag : ""));
