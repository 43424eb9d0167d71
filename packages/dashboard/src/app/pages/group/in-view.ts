import { useLayoutEffect, useRef } from "preact/hooks";

interface Options {
  readonly list: { readonly current: HTMLElement | null };
  /** The rendered children. A new value starts watching the new elements. */
  readonly children: unknown;
  /** Receives the indexes of children that come near the window; undefined = all of them, when the list is new. */
  readonly onEnter: (came: Iterable<number> | undefined) => void;
}

interface InView {
  readonly elements: readonly Element[];
  /** Indexes of the children in or near the window; undefined until the browser has reported them. */
  readonly near: ReadonlySet<number> | undefined;
}

/**
 * Tracks which children of a list are in or near the window. Caches the elements, because reading the list's children
 * for each reading costs as much as writing into them.
 */
export function useInView({ list, children, onEnter }: Options): { readonly current: InView } {
  const inView = useRef<InView>({ elements: [], near: undefined });
  const newest = useRef(onEnter);
  newest.current = onEnter;
  // A layout effect, because the elements must be current before anything is written: an index must not point to another child.
  useLayoutEffect(() => {
    const elements = [...(list.current?.children ?? [])];
    const places = new Map(elements.map((element, at) => [element, at]));
    const near = new Set<number>();
    // Keeps the old indexes until the browser reports. They are right except for children that were added or removed.
    inView.current = { elements, near: inView.current.near };
    const watch = new IntersectionObserver(
      (changes) => {
        const isFirst = inView.current.near === undefined;
        const placed = changes.map(({ target, isIntersecting }) => ({ at: places.get(target) ?? -1, isIntersecting }));
        const came = placed.filter(({ isIntersecting }) => isIntersecting).map(({ at }) => at);
        for (const { at } of placed) near.delete(at);
        for (const at of came) near.add(at);
        inView.current = { elements, near };
        newest.current(isFirst ? undefined : came);
      },
      // Writes the next rows before they scroll into view.
      { rootMargin: "25%" },
    );
    for (const element of elements) watch.observe(element);
    return () => watch.disconnect();
  }, [children]);
  return inView;
}
