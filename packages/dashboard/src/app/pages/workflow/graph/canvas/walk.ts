import type { Graph } from "../model.ts";
import type { Point } from "./layout.ts";

interface Around {
  readonly graph: Graph;
  readonly points: ReadonlyMap<string, Point>;
}

/** The node that an arrow key leads to: left and right along the wires, up and down by position. */
export function neighbourOf(id: string, key: string, { graph, points }: Around): string | undefined {
  const wires = graph.connections;
  if (key === "ArrowRight") return wires.find(({ source }) => source === id)?.dest;
  if (key === "ArrowLeft") return wires.find(({ dest }) => dest === id)?.source;
  const direction = key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0;
  const here = points.get(id);
  if (direction === 0 || !here) return undefined;
  let best: { readonly id: string; readonly way: number } | undefined;
  for (const [other, { x, y }] of points) {
    const down = (y - here.y) * direction;
    const way = down + Math.abs(x - here.x) * 3;
    if (other !== id && down > 0 && (!best || way < best.way)) best = { id: other, way };
  }
  return best?.id;
}
