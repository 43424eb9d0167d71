import type { Graph, Wire } from "../workflow/graph/model.ts";

/** Links of a rule: the rules that hold it back (`depends_on`), and the rules that it holds back (`inhibits`). */
interface Linked {
  readonly id: string;
  readonly depends_on?: readonly string[] | null | undefined;
  readonly inhibits?: readonly string[] | null | undefined;
}

/** Which rule declares the link: `depends`: the one that is held back; `inhibits`: the one that fires. */
export type Way = "depends" | "inhibits";

/** Builds a graph of rules that hold others back. Wires lead from the rule that fires to the rule that waits. */
export function holdsOf(rules: readonly Linked[]): Graph {
  const known = new Set(rules.map(({ id }) => id));
  const wire = (source: string, dest: string, condition: Way): Wire => ({
    id: `${condition} ${source} ${dest}`,
    source,
    dest,
    condition,
  });
  const connections = rules
    .flatMap(({ id, depends_on, inhibits }) => [
      ...(depends_on ?? []).map((other) => wire(other, id, "depends")),
      ...(inhibits ?? []).map((other) => wire(id, other, "inhibits")),
    ])
    .filter(({ source, dest }) => known.has(source) && known.has(dest));
  const linked = new Set(connections.flatMap(({ source, dest }) => [source, dest]));
  const nodes = rules.filter(({ id }) => linked.has(id)).map(({ id }) => ({ id, type: "rule" }));
  return { nodes, connections };
}

/** Lists each rule that holds others back together with those rules, for the description in sentences. */
export function heldBy({ nodes, connections }: Graph): readonly { readonly id: string; readonly held: string[] }[] {
  return nodes
    .map(({ id }) => ({
      id,
      held: [...new Set(connections.filter(({ source }) => source === id).map(({ dest }) => dest))],
    }))
    .filter(({ held }) => held.length > 0);
}
