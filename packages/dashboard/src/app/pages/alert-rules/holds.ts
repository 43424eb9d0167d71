import type { Graph, Wire } from "../workflow/graph/model.ts";

/** Links of a rule: the rules it waits for, and the rules it holds back. */
interface Linked {
  readonly id: string;
  readonly depends_on?: readonly string[] | null | undefined;
  readonly inhibits?: readonly string[] | null | undefined;
}

/** `depends`: the second is held back while the first fires; `inhibits`: the first says so of the second. */
export type Way = "depends" | "inhibits";

/** Rules that keep others back and those they keep back, as a graph: from the one that fires to the one that waits. */
export function holdsOf(rules: readonly Linked[]): Graph {
  const known = new Set(rules.map(({ id }) => id));
  const wire = (source: string, dest: string, condition: Way): Wire => ({
    ...{ id: `${condition} ${source} ${dest}`, source, dest, condition },
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

/** The same for reading: each rule that keeps others back, with those. */
export function heldBy({ nodes, connections }: Graph): readonly { readonly id: string; readonly held: string[] }[] {
  return nodes
    .map(({ id }) => ({
      ...{ id, held: [...new Set(connections.filter(({ source }) => source === id).map(({ dest }) => dest))] },
    }))
    .filter(({ held }) => held.length > 0);
}
