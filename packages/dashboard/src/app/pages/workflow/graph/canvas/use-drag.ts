import { type Signal, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Editing, Place } from "../props.ts";
import { type Point, port } from "./layout.ts";

interface DragOptions {
  readonly view: RefObject<HTMLElement | null>;
  readonly place: Signal<Place>;
  readonly points: ReadonlyMap<string, Point>;
  readonly editing: Editing | undefined;
  readonly zoomBy: (factor: number, at: Point) => void;
}

/** What is being dragged: the background, a node, or the end of a new wire. */
interface Held {
  readonly kind: "ground" | "node" | "wire";
  readonly id: string;
  /** Position of the pointer when it was pressed. */
  readonly start: Point;
  readonly origin: Point;
  hasMoved: boolean;
}

/** Movement in pixels that still counts as a click. */
const SLACK = 4;

/** Converts the pointer's position to coordinates of the graph. */
function inGraph({ clientX, clientY }: PointerEvent, view: HTMLElement | null, { x, y, zoom }: Place): Point {
  const { left = 0, top = 0 } = view?.getBoundingClientRect() ?? {};
  return { x: (clientX - left - x) / zoom, y: (clientY - top - y) / zoom };
}

/** Pointer handling: dragging pans the view, moves nodes while editing, or draws a wire from a port to a node. */
export function useDrag({ view, place, points, editing, zoomBy }: DragOptions) {
  const held = useRef<Held | undefined>(undefined);
  const moved = useSignal<{ readonly id: string; readonly to: Point } | undefined>(undefined);
  const drawing = useSignal<{ readonly from: Point; readonly to: Point } | undefined>(undefined);
  useWheel(view, zoomBy);

  function onPointerDown(event: PointerEvent): void {
    const found = event.button === 0 ? grip(event.target as HTMLElement) : undefined;
    if (!found || (found.kind !== "ground" && !editing)) return;
    const origin = found.kind === "ground" ? place.peek() : (points.get(found.id) ?? { x: 0, y: 0 });
    held.current = { ...found, start: { x: event.clientX, y: event.clientY }, origin, hasMoved: false };
  }

  function onPointerMove(event: PointerEvent): void {
    const what = held.current;
    if (!what) return;
    const by = { x: event.clientX - what.start.x, y: event.clientY - what.start.y };
    if (!what.hasMoved && Math.hypot(by.x, by.y) < SLACK) return;
    if (!what.hasMoved) view.current?.setPointerCapture(event.pointerId);
    what.hasMoved = true;
    const { zoom } = place.peek();
    if (what.kind === "ground") place.value = { zoom, x: what.origin.x + by.x, y: what.origin.y + by.y };
    else if (what.kind === "wire")
      drawing.value = { from: port(what.origin, "out"), to: inGraph(event, view.current, place.peek()) };
    else moved.value = { id: what.id, to: { x: what.origin.x + by.x / zoom, y: what.origin.y + by.y / zoom } };
  }

  function onPointerUp(event: PointerEvent): void {
    const what = held.current;
    const to = moved.peek()?.to;
    onPointerCancel();
    if (!what?.hasMoved) return;
    if (what.kind === "node" && to) editing?.move(what.id, snapped(to));
    const dest = what.kind === "wire" ? nodeUnder(event) : undefined;
    if (dest && dest !== what.id) editing?.connect(what.id, dest);
  }
  const onPointerCancel = (): void => {
    held.current = undefined;
    moved.value = undefined;
    drawing.value = undefined;
  };
  return { moved, drawing, handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel } };
}

/** What is under the pointer: a port, a node, or the background. */
function grip(target: HTMLElement): Pick<Held, "kind" | "id"> | undefined {
  if (target.closest(".zoom")) return undefined;
  const from = target.closest<HTMLElement>("[data-port]")?.dataset["port"];
  if (from) return { kind: "wire", id: from };
  const id = target.closest<HTMLElement>("[data-node]")?.dataset["node"];
  return id ? { kind: "node", id } : { kind: "ground", id: "" };
}

const nodeUnder = ({ clientX, clientY }: PointerEvent): string | undefined =>
  document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>("[data-node]")?.dataset["node"];

export const GRID = 8;
const snapped = ({ x, y }: Point): Point => ({ x: Math.round(x / GRID) * GRID, y: Math.round(y / GRID) * GRID });

/** Zooms on the wheel with Ctrl (also a pinch on a trackpad). Otherwise the page scrolls as usual. */
function useWheel(view: RefObject<HTMLElement | null>, zoomBy: DragOptions["zoomBy"]): void {
  const newest = useRef(zoomBy);
  newest.current = zoomBy;
  useEffect(() => {
    const element = view.current;
    const onWheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const { left = 0, top = 0 } = element?.getBoundingClientRect() ?? {};
      newest.current(Math.exp(-event.deltaY / 200), { x: event.clientX - left, y: event.clientY - top });
    };
    element?.addEventListener("wheel", onWheel, { passive: false });
    return () => element?.removeEventListener("wheel", onWheel);
  }, []);
}
