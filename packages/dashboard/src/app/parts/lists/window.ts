import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

interface Options {
  readonly count: number;
  readonly rowHeight: number;
  readonly isOn: boolean;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

const OVERSCAN = 12;

/** Indexes of the visible rows, and a few around them. */
function rangeOf(top: number, height: number, { count, rowHeight }: Omit<Options, "isOn">): Range {
  const first = Math.floor(-top / rowHeight) - OVERSCAN;
  const from = Math.max(0, Math.min(first - (first % 2), Math.max(0, count - 1)));
  const shown = Math.ceil(height / rowHeight) + 2 * OVERSCAN;
  return { from, to: Math.min(count, from + shown) };
}

/** The range of visible rows while the page scrolls; measured at most once a frame. */
export function useWindow(element: RefObject<HTMLElement | null>, { count, rowHeight, isOn }: Options): Range {
  const [range, setRange] = useState<Range>(() => rangeOf(0, innerHeight, { count, rowHeight }));
  useLayoutEffect(() => {
    if (!isOn) return undefined;
    let frame = 0;
    const look = (): void => {
      frame = 0;
      const top = element.current?.getBoundingClientRect().top ?? 0;
      const next = rangeOf(top, innerHeight, { count, rowHeight });
      setRange((known) => (known.from === next.from && known.to === next.to ? known : next));
    };
    const plan = (): void => {
      frame ||= requestAnimationFrame(look);
    };
    look();
    addEventListener("scroll", plan, { passive: true, capture: true });
    addEventListener("resize", plan);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener("scroll", plan, { capture: true });
      removeEventListener("resize", plan);
    };
  }, [count, rowHeight, isOn]);
  return { from: Math.min(range.from, count), to: Math.min(count, Math.max(range.to, range.from)) };
}
