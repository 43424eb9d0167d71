import { Mark } from "../../../../parts/basic/basic.tsx";
import { Icon } from "../../../../parts/basic/icon.tsx";
import { t } from "../../texts.ts";
import type { GraphNode } from "../model.ts";
import { detailOf, iconOf, nameOf } from "../names.ts";
import type { CanvasProps } from "../props.ts";
import { lookOf } from "../states.ts";
import type { Point } from "./layout.ts";

interface NodeBoxProps extends CanvasProps {
  readonly node: GraphNode;
  readonly at: Point;
}

export function NodeBox({ node, at, facts, triggers, selected, onSelect, editing }: NodeBoxProps) {
  const look = lookOf(node.id, facts);
  const fault = editing?.faults.get(node.id);
  const name = nameOf(node);
  const from = editing?.from;
  const open = (): void => (from && from !== node.id ? editing.connect(from, node.id) : onSelect(node.id));
  return (
    <div
      class={`node k-${node.type} ${look ? `s-${look.state}` : ""} ${fault ? "bad" : ""}`}
      style={{ transform: `translate(${at.x}px, ${at.y}px)` }}
    >
      <button
        type="button"
        class="body"
        data-node={node.id}
        aria-pressed={selected === node.id}
        title={fault ?? name}
        onClick={open}
      >
        {look ? <Mark state={look.state} /> : <Icon name={iconOf(node)} />}
        <span class="two">
          <b class="cut" dir="auto">
            {name}
          </b>
          <span class="cut xs" dir="auto">
            {fault ?? detailOf(node, triggers)}
          </span>
        </span>
        {look?.note && <span class="xs num">{look.note}</span>}
      </button>
      {editing && node.type !== "note" && <Port id={node.id} name={name} onClick={() => editing.begin(node.id)} />}
    </div>
  );
}

interface PortProps {
  readonly id: string;
  readonly name: string;
  readonly onClick: () => void;
}

/** Handle from which a new wire is drawn. */
const Port = ({ id, name, onClick }: PortProps) => (
  <button
    type="button"
    class="port"
    data-port={id}
    tabIndex={-1}
    aria-label={`${t("wireFrom")} ${name}`}
    onClick={onClick}
  />
);
