import type { Wire } from "../model.ts";
import { conditionTitle } from "../names.ts";
import type { CanvasProps } from "../props.ts";
import { isTaken } from "../states.ts";
import { curve, type Point, port } from "./layout.ts";

interface EdgesProps extends CanvasProps {
  readonly points: ReadonlyMap<string, Point>;
  /** The wire being drawn, from a port to the pointer. */
  readonly drawing: { readonly from: Point; readonly to: Point } | undefined;
}

/** Conditions without a label, because they are the normal case. */
const QUIET: ReadonlySet<string> = new Set(["", "success"]);

function kindOf({ id, source, dest }: Wire, { facts, selected }: CanvasProps): string {
  if ((facts.active.get(dest)?.length ?? 0) > 0) return "live";
  if (isTaken(id, facts)) return "taken";
  return selected !== undefined && (source === selected || dest === selected) ? "near" : "";
}

export const Edges = ({ drawing, ...props }: EdgesProps) => (
  <svg class="wires" aria-hidden="true">
    {props.graph.connections.map((wire) => (
      <Edge key={wire.id} wire={wire} {...props} />
    ))}
    {drawing && <path class="drawing" d={curve(drawing.from, drawing.to)} />}
  </svg>
);

function Edge({ wire, points, ...props }: Omit<EdgesProps, "drawing"> & { readonly wire: Wire }) {
  const { source, dest, condition = "" } = wire;
  const [start, end] = [points.get(source), points.get(dest)];
  if (!start || !end) return null;
  const [from, to] = [port(start, "out"), port(end, "in")];
  return (
    <g class={`wire ${kindOf(wire, props)}`}>
      <path d={curve(from, to)} />
      <path class="head" d={`M${to.x - 7} ${to.y - 4}L${to.x} ${to.y}L${to.x - 7} ${to.y + 4}`} />
      {!QUIET.has(condition) && (
        <text x={(from.x + to.x) / 2} y={(from.y + to.y) / 2 - 5}>
          {conditionTitle(condition)}
        </text>
      )}
    </g>
  );
}
