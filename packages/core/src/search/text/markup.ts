const NAMED: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", " "],
]);

/** The text as a reader sees it: without fenced code (Markdown), tags and entities (docs/contract/search.md#text). */
export function removeMarkup(text: string, markup: "markdown" | "html"): string {
  return decodeEntities(removeTags(markup === "markdown" ? removeFences(text) : text));
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** An unclosed fence does not count. */
function removeFences(text: string): string {
  if (!text.includes("```") && !text.includes("~~~")) return text;
  const kept: string[] = [];
  let fence: { readonly mark: string; readonly start: number } | undefined;
  for (const line of text.split("\n")) {
    const mark = FENCE.exec(line)?.[1];
    if (fence === undefined && mark !== undefined) fence = { mark, start: kept.length };
    else if (fence && mark?.startsWith(fence.mark) && line.trim() === mark) {
      kept.length = fence.start;
      fence = undefined;
      continue;
    }
    kept.push(line);
  }
  return kept.join("\n");
}

/** Removes text from `<` and a letter, `/`, `!` or `?` up to `>`; "load < 5 and backlog > 9" stays. */
function removeTags(text: string): string {
  let kept = "";
  let from = 0;
  for (let open = text.indexOf("<"); open >= 0; open = text.indexOf("<", open + 1)) {
    if (open < from || !/[a-z/!?]/i.test(text[open + 1] ?? "")) continue;
    const close = text.indexOf(">", open);
    if (close < 0) break;
    kept += text.slice(from, open);
    from = close + 1;
  }
  return kept + text.slice(from);
}

const decodeEntities = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED.get(name.toLowerCase()) ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
