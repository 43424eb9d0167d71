import type { MenuItem } from "../../../parts/basic/menu.tsx";
import type { Trigger } from "../../../parts/schedule/words.ts";
import type { Point } from "./canvas/layout.ts";
import type { Graph, Wire } from "./model.ts";
import type { RunFacts } from "./states.ts";

/** Changes by pointer and keyboard while the graph is being edited. */
export interface Editing {
  readonly faults: ReadonlyMap<string, string>;
  /** The node from which a wire is being drawn. */
  readonly from: string | undefined;
  move(id: string, to: Point): void;
  connect(source: string, dest: string): void;
  begin(source: string): void;
  /** Menu of nodes that can be inserted into a wire. */
  between(wire: Wire): readonly MenuItem[];
}

export interface CanvasProps {
  readonly graph: Graph;
  readonly label: string;
  readonly triggers: readonly Trigger[];
  readonly facts: RunFacts;
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
  readonly editing?: Editing;
}

export interface Place {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}
