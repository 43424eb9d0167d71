import { Icon } from "../../../../parts/basic/icon.tsx";
import { Menu } from "../../../../parts/basic/menu.tsx";
import { t } from "../../texts.ts";
import { nameOf } from "../names.ts";
import type { CanvasProps, Editing } from "../props.ts";
import { type Point, port } from "./layout.ts";

/** Up to this many wires, each has a button. In larger graphs only the wires of the selected node have one. */
const MANY = 60;

interface BetweenProps extends Pick<CanvasProps, "graph" | "selected"> {
  readonly editing: Editing;
  readonly points: ReadonlyMap<string, Point>;
}

/** A button in the middle of each wire that inserts a node. */
export function Between({ graph, selected, editing, points }: BetweenProps) {
  const { nodes, connections } = graph;
  const named = new Map(nodes.map((node) => [node.id, node]));
  const isNear = (id: string): boolean => id === selected;
  return (
    <>
      {connections.map((wire) => {
        const [from, to] = [named.get(wire.source), named.get(wire.dest)];
        const [start, end] = [points.get(wire.source), points.get(wire.dest)];
        const isShown = connections.length <= MANY || isNear(wire.source) || isNear(wire.dest);
        const isOwn = to?.type === "action" || to?.type === "limit";
        if (!from || !to || !start || !end || !isShown || isOwn) return null;
        const [a, b] = [port(start, "out"), port(end, "in")];
        const transform = `translate(${(a.x + b.x) / 2 - 12}px, ${(a.y + b.y) / 2 - 12}px)`;
        return (
          <div key={wire.id} class="between" style={{ transform }}>
            <Menu
              label={t("between", { from: nameOf(from), to: nameOf(to) })}
              kind="btn bare"
              items={editing.between(wire)}
            >
              <Icon name="plus" />
            </Menu>
          </div>
        );
      })}
    </>
  );
}
