import { Mark } from "../../../parts/basic/basic.tsx";
import { Icon } from "../../../parts/basic/icon.tsx";
import { type Column, Table } from "../../../parts/lists/table.tsx";
import { t as frame } from "../../../texts/words/frame.ts";
import { t } from "../texts.ts";
import { inOrder } from "./canvas/layout.ts";
import type { Graph, GraphNode } from "./model.ts";
import { conditionTitle, iconOf, kindOf, nameOf } from "./names.ts";
import { lookOf, type RunFacts } from "./states.ts";

interface NodeTableProps {
  readonly graph: Graph;
  readonly label: string;
  readonly facts: RunFacts;
  readonly faults?: ReadonlyMap<string, string>;
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
}

interface Row {
  readonly node: GraphNode;
  readonly leads: string;
  readonly props: NodeTableProps;
}

const columns: readonly Column<Row>[] = [
  {
    key: "name",
    title: () => t("node"),
    cell: ({ node, props }) => (
      <span class="cell">
        <Icon name={iconOf(node)} />
        <button type="button" class="whole link cut" data-node={node.id} onClick={() => props.onSelect(node.id)}>
          <b dir="auto">{nameOf(node)}</b>
        </button>
      </span>
    ),
  },
  { key: "kind", title: () => t("does"), rank: 3, width: "7rem", cell: ({ node }) => kindOf(node) },
  {
    key: "state",
    title: () => t("state"),
    width: "9rem",
    cell: ({ node, props: { facts, faults } }) => {
      const look = lookOf(node.id, facts);
      const fault = faults?.get(node.id);
      if (fault) return <span class="wrong cut">{fault}</span>;
      return look ? (
        <span class="cell">
          <Mark state={look.state} /> {frame(`state.${look.state}`)} {look.note}
        </span>
      ) : null;
    },
  },
  { key: "leads", title: () => t("leads"), rank: 3, cell: ({ leads }) => <span class="dim cut">{leads}</span> },
];

/** The graph as a list with the same actions, for small screens and screen readers. */
export function NodeTable(props: NodeTableProps) {
  const { graph, label, selected } = props;
  const names = new Map(graph.nodes.map((node) => [node.id, nameOf(node)]));
  const rows = inOrder(graph).map((node): Row => {
    const wires = graph.connections.filter(({ source }) => source === node.id);
    const leads = wires.map(
      ({ dest, condition }) => `${names.get(dest) ?? dest}${condition ? ` (${conditionTitle(condition)})` : ""}`,
    );
    return { node, leads: leads.join(", "), props };
  });
  return <Table label={label} columns={columns} rows={rows} keyOf={({ node }) => node.id} current={selected} />;
}
