const isCut = (node: Element): boolean =>
  node.scrollWidth > node.clientWidth || node.scrollHeight > node.clientHeight + 1;

/** The text of a cell that does not fit into it; "" if all of it is visible. */
function hiddenIn(cell: Element | undefined): string {
  const text = [cell, ...(cell?.querySelectorAll(".cut") ?? [])].find((node) => node && isCut(node));
  return text?.textContent ?? "";
}

/**
 * Shows the whole of a cut text while the mouse is over it. In tables the link of the name lies over the whole row and would hide
 * the titles of its cells, so it gets the text of the cell below the mouse.
 */
export function startFullTexts(): void {
  addEventListener("mousemove", ({ target, clientX, clientY }) => {
    const link = (target as Element).closest?.<HTMLElement>("a.whole, .cut");
    if (!link) return;
    const cell = document.elementsFromPoint(clientX, clientY).find((node) => node.matches("td"));
    const [known, text] = [link.title, hiddenIn(cell ?? link)];
    if (known !== text && (cell || text)) link.title = text;
  });
}
