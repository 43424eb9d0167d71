import { useEffect, useState } from "preact/hooks";
import { useKeys } from "../../../data/keys.ts";
import { Panel } from "../../../parts/basic/basic.tsx";
import { Segments } from "../../../parts/forms/fields.tsx";
import { place, setQuery } from "../../../router/router.ts";
import { t } from "../texts.ts";
import { Canvas } from "./canvas/canvas.tsx";
import type { GraphNode } from "./model.ts";
import { NodeTable } from "./node-table.tsx";
import type { CanvasProps } from "./props.ts";

interface GraphPanelProps extends Pick<CanvasProps, "graph" | "facts" | "triggers" | "editing"> {
  readonly name: string;
  readonly tools?: preact.ComponentChildren;
  /** Rendered beside the graph while a node is selected. */
  readonly aside: (node: GraphNode, close: () => void) => preact.ComponentChildren;
}

const NARROW = "(max-width: 760px)";

/** True on a small screen, which shows the list by default. */
function useIsNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(matchMedia(NARROW).matches);
  useEffect(() => {
    const query = matchMedia(NARROW);
    const look = (): void => setNarrow(query.matches);
    query.addEventListener("change", look);
    return () => query.removeEventListener("change", look);
  }, []);
  return isNarrow;
}

export const select = (node: string | undefined): void => setQuery({ node });

/** A graph as a drawing or a list, with the selected node beside it. */
export function GraphPanel({ graph, facts, triggers, editing, name, tools, aside }: GraphPanelProps) {
  const { node: selected, view } = place.value.query;
  const isNarrow = useIsNarrow();
  const isList = view === "list" || (view === undefined && isNarrow);
  const node = graph.nodes.find(({ id }) => id === selected);
  const close = (): void => {
    // Moves focus from the closing panel to the node in the graph.
    if (document.activeElement?.closest(".aside") && selected)
      document.querySelector<HTMLElement>(`[data-node="${CSS.escape(selected)}"]`)?.focus();
    select(undefined);
  };
  useKeys(node ? { Escape: close } : {});
  const shared = { graph, facts, selected, onSelect: select };
  return (
    <div class={node ? "flow open" : "flow"}>
      <Panel title={t("graph")} count={graph.nodes.length} more={<Views isList={isList} />}>
        {tools}
        {isList ? (
          <NodeTable {...shared} label={t("nodesOf", { name })} {...(editing ? { faults: editing.faults } : {})} />
        ) : (
          <Canvas {...shared} label={t("graphOf", { name })} triggers={triggers} {...(editing ? { editing } : {})} />
        )}
      </Panel>
      {node && aside(node, close)}
    </div>
  );
}

const Views = ({ isList }: { readonly isList: boolean }) => (
  <Segments
    label={t("view")}
    value={isList ? "list" : "graph"}
    choices={[
      { value: "graph", title: t("graph") },
      { value: "list", title: t("list") },
    ]}
    onInput={(view) => setQuery({ view })}
  />
);
