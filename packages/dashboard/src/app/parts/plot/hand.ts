import { useState } from "preact/hooks";
import { nearest } from "./numbers.tsx";
import type { PlotProps } from "./plot.tsx";

type Moved = PointerEvent & { readonly currentTarget: HTMLElement };
/** A range as shares of the width: where the drag began, and where it is now. */
type Stretch = readonly [number, number];

/** A drag shorter than this share of the width counts as a click, not as a selected range. */
const LEAST_STRETCH = 0.012;

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  PageUp: -10,
  PageDown: 10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** Handles pointer and keys, which move the page's cursor and select a range of time; returns the range in order. */
export function useHand(props: PlotProps) {
  const { from, to, onZoom } = props;
  const [chosen, choose] = useState<Stretch | undefined>(undefined);
  const ordered = chosen?.toSorted((left, right) => left - right);
  const zoom = (): void => {
    const [left = 0, right = 0] = ordered ?? [];
    choose(undefined);
    if (right - left > LEAST_STRETCH)
      onZoom?.(Math.floor(from + left * (to - from)), Math.ceil(from + right * (to - from)));
  };
  const pointer = usePointer(props, { chosen, choose, zoom });
  const onKeyDown = (event: KeyboardEvent): void => onKey(event, props, { chosen, choose, zoom });
  return { chosen: ordered, pointer, onKeyDown };
}

interface Choosing {
  readonly chosen: Stretch | undefined;
  choose(stretch: Stretch | undefined): void;
  zoom(): void;
}

/** The pointer moves the page's cursor; dragging with a mouse selects a range. */
function usePointer({ times, from, to, cursor, onZoom, onReset }: PlotProps, { choose, zoom }: Choosing) {
  const [begun, setBegun] = useState<number | undefined>(undefined);
  const shareOf = ({ clientX, currentTarget }: Moved): number => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.min(1, Math.max(0, (clientX - left) / width));
  };
  return {
    onPointerDown(event: Moved) {
      if (!onZoom || event.button !== 0 || event.pointerType === "touch") return;
      event.currentTarget.setPointerCapture(event.pointerId);
      setBegun(shareOf(event));
    },
    onPointerMove(event: Moved) {
      const share = shareOf(event);
      cursor.at.value = times[nearest(times, from + share * (to - from))];
      if (begun !== undefined) choose([begun, share]);
    },
    onPointerUp() {
      if (begun === undefined) return;
      setBegun(undefined);
      zoom();
    },
    onPointerCancel() {
      setBegun(undefined);
      choose(undefined);
    },
    // Lifting a finger also counts as leaving; the values that it pointed at stay readable.
    onPointerLeave({ pointerType }: Moved) {
      if (pointerType !== "touch") cursor.at.value = undefined;
    },
    onDblClick: () => onReset?.(),
  };
}

/** Keys move the cursor; with Shift they select a range, and Enter zooms into it. */
function onKey(event: KeyboardEvent, props: PlotProps, choosing: Choosing): void {
  const { times, from, to, cursor, onZoom } = props;
  const { chosen, choose, zoom } = choosing;
  if (event.key === "Escape") takeBack(event, props, choosing);
  if (event.key === "Enter" && chosen) zoom();
  const by = STEPS[event.key];
  if (by === undefined || times.length === 0) return;
  event.preventDefault();
  const at = cursor.at.peek();
  const before = at === undefined ? times.length : nearest(times, at);
  const next = times[Math.max(0, Math.min(times.length - 1, before + by))] ?? to;
  cursor.at.value = next;
  const share = (time: number): number => Math.min(1, Math.max(0, (time - from) / (to - from)));
  choose(event.shiftKey && onZoom ? [chosen?.[0] ?? share(at ?? to), share(next)] : undefined);
}

/**
 * Escape drops the range, or else the cursor and the zoom. With neither a range nor a cursor, the event also reaches what
 * encloses the chart and closes it.
 */
function takeBack(event: KeyboardEvent, { cursor, onReset }: PlotProps, { chosen, choose }: Choosing): void {
  if (chosen || cursor.at.peek() !== undefined) event.preventDefault();
  choose(undefined);
  cursor.at.value = undefined;
  if (!chosen) onReset?.();
}
