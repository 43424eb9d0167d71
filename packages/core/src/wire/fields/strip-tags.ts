import { rememberSearch } from "../../lib/remember-search.ts";

// A scan instead of a pattern such as /<[^>]*>/, which searches for the end again from every "<": a megabyte of them would block
// the process for minutes, and these texts are processed before the caller has shown a key.

/** Removes everything between `<` and `>` (docs/contract/records.md#common-members). */
export const stripTags = (text: string): string => removeTags(text, /</g);

/** Removes only text that starts like a tag, so that "a < b" survives, and leaves text inside `{{ }}` alone. */
export const stripTagsOutsideMacros = (text: string): string => removeTags(text, /\{\{|<[a-zA-Z/!?]/g);

/** Removes from each opening to the next `>`; skips an opening `{{` that is closed on the same line. */
function removeTags(text: string, openings: RegExp): string {
  const macroEndAfter = rememberSearch((from) => positionOf(text.indexOf("}}", from)));
  const lineEndAfter = rememberSearch((from) => positionOf(indexOfLineBreak(text, from)));
  let out = "";
  let kept = 0;
  for (let match = openings.exec(text); match; match = openings.exec(text)) {
    const { index } = match;
    if (match[0] === "{{") {
      const end = macroEndAfter(index + 3);
      openings.lastIndex = end !== Number.POSITIVE_INFINITY && lineEndAfter(index + 2) > end ? end + 2 : index + 1;
      continue;
    }
    const close = text.indexOf(">", index + 1);
    // If this tag is not closed, no later one is.
    if (close === -1) break;
    out += text.slice(kept, index);
    kept = close + 1;
    openings.lastIndex = kept;
  }
  return out + text.slice(kept);
}

const positionOf = (index: number): number => (index === -1 ? Number.POSITIVE_INFINITY : index);

function indexOfLineBreak(text: string, from: number): number {
  const breaks = /[\n\r\u2028\u2029]/g;
  breaks.lastIndex = from;
  return breaks.exec(text)?.index ?? -1;
}
