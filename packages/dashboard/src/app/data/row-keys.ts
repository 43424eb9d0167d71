const ROWS = "main :is(tbody > tr, .rows > li)";
const LINK = ":is(a, button)";

const rowOf = (): Element | null => document.activeElement?.closest(ROWS) ?? null;

/** Moves the focus to the link of the next or previous row of its list; from elsewhere to the first row of the page. */
export function stepRow(by: 1 | -1): void {
  let row = rowOf();
  const step = (from: Element): Element | null => (by === 1 ? from.nextElementSibling : from.previousElementSibling);
  row = row ? step(row) : document.querySelector(`${ROWS}:has(${LINK})`);
  while (row && !row.matches(`:has(${LINK})`)) row = step(row);
  row?.querySelector<HTMLElement>(LINK)?.focus();
}

/** Toggles the selection of the focused row, if it has a checkbox. */
export const pickRow = (): void => rowOf()?.querySelector<HTMLElement>("input[type=checkbox]")?.click();
