const STOP = "a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex='0']";

const main = (): HTMLElement | null => document.getElementById("main");

const canStop = (element: HTMLElement): boolean => element.matches(STOP) && element.checkVisibility();

const stopsIn = (node: Node): HTMLElement[] =>
  node instanceof HTMLElement ? [node, ...node.querySelectorAll<HTMLElement>(STOP)].filter(canStop) : [];

/** The focusable element after the place of the removal, else the one before it, else the nearest one outwards. */
function heirOf({
  nextSibling,
  previousSibling,
  target,
}: Pick<MutationRecord, "nextSibling" | "previousSibling" | "target">): HTMLElement | null {
  for (let node: Node | null = nextSibling; node; node = node.nextSibling) {
    const [first] = stopsIn(node);
    if (first) return first;
  }
  for (let node: Node | null = previousSibling; node; node = node.previousSibling) {
    const last = stopsIn(node).at(-1);
    if (last) return last;
  }
  const { parentNode } = target;
  if (!parentNode || target === main() || target === document.body) return main();
  return heirOf({ nextSibling: target.nextSibling, previousSibling: target.previousSibling, target: parentNode });
}

/** Keeps the focus on the page. A browser drops it when its element is removed, whether by a live update or by the viewer. */
export function keepFocus(): () => void {
  let last: EventTarget | null = null;
  const note = ({ target }: FocusEvent): void => {
    last = target;
  };
  const watch = new MutationObserver((records) => {
    if (!(last instanceof Element) || last.isConnected || document.activeElement !== document.body) return;
    const gone = last;
    last = null;
    const removal = records.find(
      ({ target, removedNodes }) => target.isConnected && [...removedNodes].some((node) => node.contains(gone)),
    );
    // What a dialog covered does not follow it in the document, so the focus goes to the content of the page.
    const heir = !removal || gone.closest("dialog") ? main() : heirOf(removal);
    heir?.focus({ preventScroll: true });
  });
  document.addEventListener("focusin", note);
  watch.observe(document.body, { childList: true, subtree: true });
  return () => {
    document.removeEventListener("focusin", note);
    watch.disconnect();
  };
}

/** Moves the focus to the content of a new page, unless a dialog that it opened already has it. */
export function focusPage(): void {
  if (!document.querySelector("dialog[open]")) main()?.focus({ preventScroll: true });
}
