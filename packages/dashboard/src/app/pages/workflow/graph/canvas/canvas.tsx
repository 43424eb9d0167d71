import { type Signal, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { Button } from "../../../../parts/basic/button.tsx";
import { t } from "../../texts.ts";
import type { Graph } from "../model.ts";
import type { CanvasProps, Editing, Place } from "../props.ts";
import { Between } from "./between.tsx";
import { Edges } from "./edges.tsx";
import { frameOf, inOrder, layoutOf, NODE, type Point } from "./layout.ts";
import { NodeBox } from "./node-box.tsx";
import { GRID, useDrag } from "./use-drag.ts";
import { neighbourOf } from "./walk.ts";

const ZOOM = { least: 0.15, readable: 0.7, most: 2, step: 1.25 } as const;
const PADDING = 24;

/** Changes an offset only as far as needed to show what is at `from`. */
const into = (offset: number, of: { readonly from: number; readonly size: number; readonly room: number }): number =>
  Math.min(Math.max(offset, PADDING - of.from), Math.max(PADDING, of.room - PADDING - of.size) - of.from);

/** Scrolls a node into view when it gets focus by keyboard. A clicked node stays under the pointer. */
const whenTabbed =
  (show: (id: string | undefined) => void) =>
  ({ target }: FocusEvent): void => {
    const node = target as HTMLElement;
    if (node.matches(":focus-visible")) show(node.dataset["node"]);
  };

/** Position and zoom of the view: fits the graph at first, then follows the viewer. */
function useView(
  view: RefObject<HTMLElement | null>,
  { graph, selected }: Pick<CanvasProps, "graph" | "selected">,
  points: ReadonlyMap<string, Point>,
) {
  const place = useSignal<Place>({ x: PADDING, y: PADDING, zoom: 1 });
  const sizeOf = () => view.current?.getBoundingClientRect() ?? { width: 1, height: 1 };
  const zoomBy = (factor: number, at?: Point): void => {
    const { x, y, zoom } = place.peek();
    const { width, height } = sizeOf();
    const center = at ?? { x: width / 2, y: height / 2 };
    const next = Math.min(ZOOM.most, Math.max(ZOOM.least, zoom * factor));
    const along = (from: number, to: number): number => to - ((to - from) * next) / zoom;
    place.value = { zoom: next, x: along(x, center.x), y: along(y, center.y) };
  };
  const fit = (least: number = ZOOM.least): void => {
    const { width, height } = sizeOf();
    const frame = frameOf(points);
    const fits = Math.min((width - 2 * PADDING) / frame.width, (height - 2 * PADDING) / frame.height);
    const zoom = Math.min(1, Math.max(least, fits));
    const x = Math.max(PADDING, (width - frame.width * zoom) / 2) - frame.x * zoom;
    place.value = { zoom, x, y: Math.max(PADDING, (height - frame.height * zoom) / 2) - frame.y * zoom };
  };
  const show = (id: string | undefined): void => {
    const { x, y, zoom } = place.peek();
    const { width, height } = sizeOf();
    const at = id === undefined ? undefined : points.get(id);
    if (!at) return;
    place.value = {
      zoom,
      x: into(x, { from: at.x * zoom, size: NODE.width * zoom, room: width }),
      y: into(y, { from: at.y * zoom, size: NODE.height * zoom, room: height }),
    };
  };
  // Fits the view only once, not while nodes are being moved. A large graph starts at its beginning in a readable size.
  useLayoutEffect(() => fit(ZOOM.readable), [graph.nodes.length === 0]);
  useLayoutEffect(() => show(selected), [selected, graph.nodes.length === 0]);
  return { place, zoomBy, fit, onFocusIn: whenTabbed(show) };
}

/**
 * The graph as nodes and wires that can be moved and zoomed. Keys: + − 0 zoom, arrows follow the wires, Shift with
 * arrows moves a node. Arrows pan the view while the canvas itself has focus.
 */
export function Canvas(props: CanvasProps) {
  const { graph, label, editing } = props;
  const view = useRef<HTMLElement>(null);
  const points = useMemo(() => layoutOf(graph), [graph]);
  const nodes = useMemo(() => inOrder(graph), [graph]);
  const { place, zoomBy, fit, onFocusIn } = useView(view, props, points);
  const drag = useDrag({ view, place, points, editing, zoomBy });
  const onKeyDown = keysOf({ view, graph, points, editing, zoomBy, fit, place });
  const { x, y, zoom } = place.value;
  const held = drag.moved.value;
  const height = frameOf(points).height + 4 * PADDING;
  return (
    <section
      ref={view}
      class="canvas"
      style={{ "--h": `${height}px` }}
      aria-label={label}
      tabIndex={0}
      {...{ onKeyDown, onFocusIn, ...drag.handlers }}
    >
      <div class="layer" style={{ transform: `translate(${x}px, ${y}px) scale(${zoom})` }}>
        <Edges {...props} points={points} drawing={drag.drawing.value} />
        {editing && <Between graph={graph} editing={editing} points={points} selected={props.selected} />}
        {nodes.map((node) => {
          const at = held?.id === node.id ? held.to : (points.get(node.id) ?? { x: 0, y: 0 });
          return <NodeBox key={node.id} {...props} node={node} at={at} />;
        })}
      </div>
      <div class="zoom">
        <Button kind="row" label={t("zoomIn")} icon="plus" onClick={() => zoomBy(ZOOM.step)} />
        <Button kind="row" label={`− ${t("zoomOut")}`} onClick={() => zoomBy(1 / ZOOM.step)}>
          −
        </Button>
        <Button kind="row" label={t("fit")} icon="full" onClick={() => fit()} />
      </div>
    </section>
  );
}

interface Keys {
  readonly view: RefObject<HTMLElement | null>;
  readonly graph: Graph;
  readonly points: ReadonlyMap<string, Point>;
  readonly editing: Editing | undefined;
  readonly zoomBy: (factor: number) => void;
  readonly fit: () => void;
  readonly place: Signal<Place>;
}

/** Number of grid steps by which an arrow key pans. */
const PAN = 8;

const WAYS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -GRID, y: 0 },
  ArrowRight: { x: GRID, y: 0 },
  ArrowUp: { x: 0, y: -GRID },
  ArrowDown: { x: 0, y: GRID },
};

function moveView(place: Signal<Place>, by: Point): void {
  const { x, y, zoom } = place.peek();
  place.value = { zoom, x: x + by.x, y: y + by.y };
}

const keysOf = ({ view, graph, points, editing, zoomBy, fit, place }: Keys) => {
  const deeds: Readonly<Record<string, () => void>> = {
    "+": () => zoomBy(ZOOM.step),
    "-": () => zoomBy(1 / ZOOM.step),
    "0": () => fit(),
  };
  const onGround = (key: string): (() => void) | undefined => {
    const way = WAYS[key];
    // Panning in the direction of the arrow moves the graph the other way.
    return way && (() => moveView(place, { x: -PAN * way.x, y: -PAN * way.y }));
  };
  const onNode = (id: string, { key, shiftKey }: KeyboardEvent): (() => void) | undefined => {
    const [way, from] = [WAYS[key], points.get(id)];
    if (shiftKey && editing && way && from) return () => editing.move(id, { x: from.x + way.x, y: from.y + way.y });
    const next = neighbourOf(id, key, { graph, points });
    const element = next && view.current?.querySelector<HTMLElement>(`[data-node="${CSS.escape(next)}"]`);
    return element ? () => element.focus() : undefined;
  };
  const deedOf = (event: KeyboardEvent): (() => void) | undefined => {
    const { key, target } = event;
    const id = (target as HTMLElement).dataset["node"];
    const own = id === undefined ? onGround(key) : onNode(id, event);
    return own ?? (Object.hasOwn(deeds, key) ? deeds[key] : undefined);
  };
  return (event: KeyboardEvent): void => {
    const deed = event.ctrlKey || event.metaKey ? undefined : deedOf(event);
    if (!deed) return;
    event.preventDefault();
    event.stopPropagation();
    deed();
  };
};
