import { recordLine } from "./lines.ts";

/** Most entries of a page, and characters after which a page ends early, because its reader parses it all at once. */
export const PAGE_ENTRIES = 50;
const PAGE_SIZE = 262_144;

export interface PageLine {
  readonly text: string;
  readonly records: number;
}

/** The header of a list. */
export const headerLine = (
  key: string,
  { pages, length }: { readonly pages: number; readonly length: number },
): string =>
  recordLine(key, { page_size: PAGE_ENTRIES, first_page: 0, last_page: Math.max(0, pages - 1), length, type: "list" });

export const pageLine = (key: string, page: number, items: readonly object[]): string =>
  recordLine(`${key}/${page}`, { type: "list_page", items });

/** A list as lines: the pages, then the header with their number. A list without entries has one empty page. */
export function* pageList(key: string, entries: readonly object[]): Generator<PageLine> {
  let page = 0;
  let [items, size]: [object[], number] = [[], 0];
  for (const entry of entries) {
    items.push(entry);
    size += JSON.stringify(entry).length;
    if (items.length < PAGE_ENTRIES && size < PAGE_SIZE) continue;
    yield { text: pageLine(key, page++, items), records: items.length };
    [items, size] = [[], 0];
  }
  if (items.length > 0 || page === 0) yield { text: pageLine(key, page++, items), records: items.length };
  yield { text: headerLine(key, { pages: page, length: entries.length }), records: 0 };
}

/** A position after all previous ones. A record keeps its own position if possible, so that gaps remain. */
export function placeAfter(last: number, own: unknown): number {
  return typeof own === "number" && Number.isFinite(own) && own > last ? own : last + 1;
}
