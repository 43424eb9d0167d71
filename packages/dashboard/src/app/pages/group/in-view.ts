import { useLayoutEffect, useRef } from "preact/hooks";

interface Options {
  readonly list: { readonly current: HTMLElement | null };
  /** The children of the list as drawn: others are watched when these are others. */
  readonly children: unknown;
  /** Told the places of children that come near the window; undefined = of all, when the list is new. */
  readonly onEnter: (came: Iterable<number> | undefined) => void;
}

interface InView {
  readonly elements: readonly Element[];
  /** Places of the children in the window or near it; undefined until the browser has named them. */
  readonly near: ReadonlySet<number> | undefined;
}

/** The children of a list, kept because asking a list of the browser for each costs as much as writing into it. */
export function useInView({ list, children, onEnter }: Options): { readonly current: InView } {
  const inView = useRef<InView>({ elements: [], near: undefined });
  const newest = useRef(onEnter);
  newest.current = onEnter;
  // Before anything can be written: a place must not be that of another child.
  useLayoutEffect(() => {
    const elements = [...(list.current?.children ?? [])];
    const places = new Map(elements.map((element, at) => [element, at]));
    const near = new Set<number>();
    // The places of before are right but for children that have come or gone, until the browser says so.
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
      // A list that is scrolled has its next rows ready.
      { rootMargin: "25%" },
    );
    for (const element of elements) watch.observe(element);
    return () => watch.disconnect();
  }, [children]);
  return inView;
}
