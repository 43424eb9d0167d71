import type { Connection, Graph, GraphNode } from "../../../graphs/model.ts";

type Members = Readonly<Record<string, unknown>>;

/** Name of a workflow's start in its wires; it represents each trigger of its event. */
export const START = "start";

export type DrawnWire = readonly [from: string, to: string, condition?: string];

export interface Drawing {
  readonly nodes: Readonly<Record<string, object>>;
  readonly wires: readonly DrawnWire[];
  readonly triggers: unknown;
}

export interface Drawn {
  /** Triggers, each with the id of its graph node. */
  readonly triggers: readonly Members[];
  readonly workflow: Graph;
}

/** Types of triggers that only modify when others fire. */
const MODIFIERS: ReadonlySet<unknown> = new Set([
  ...["catchup", "nth", "range", "blackout", "delay", "precision", "quiet", "plugin"],
]);

/** Distance between nodes, in the units of clients that draw them. */
const STEP = { x: 260, y: 140 };

/** Converts a workflow declared in code to a graph. */
export function drawGraph({ nodes, wires, triggers: given }: Drawing): Drawn {
  const listed = given as readonly Members[];
  const triggers = listed.map((trigger, index) => ({ ...trigger, id: index === 0 ? START : `${START}_${index + 1}` }));
  const starts = triggers.filter((trigger) => !MODIFIERS.has((trigger as Members)["type"])).map(({ id }) => id);
  const limits = Object.entries(nodes).flatMap(([name, node]) => limitsOf(name, node as Members));
  const all = [
    ...starts.map((id) => ({ id, type: "trigger", data: {} })),
    ...Object.entries(nodes).map(([id, node]) => ({ id, ...nodeOf(node as Members) })),
    ...limits.map(({ id, data }) => ({ id, type: "limit", data })),
  ];
  const expanded = wires.flatMap(([from, ...rest]): DrawnWire[] =>
    from === START ? starts.map((start): DrawnWire => [start, ...rest]) : [[from, ...rest]],
  );
  const connections = [...expanded, ...limits.map(({ node, id }): DrawnWire => [node, id])].map(connectionOf);
  return {
    triggers,
    workflow: { nodes: placed(all as unknown as readonly GraphNode[], connections), connections },
  };
}

const connectionOf = ([source, dest, condition]: DrawnWire, index: number): Connection => ({
  id: `c${index + 1}`,
  source,
  dest,
  ...(condition === undefined ? {} : { condition }),
});

interface DrawnLimit {
  readonly id: string;
  readonly node: string;
  readonly data: Members;
}

const limitsOf = (node: string, { limits = [] }: { readonly limits?: readonly Members[] }): DrawnLimit[] =>
  limits.map((data, index) => ({ id: `${node}_limit_${index + 1}`, node, data: { enabled: true, ...data } }));

function nodeOf({ limits: _attached, ...node }: Members): { readonly type: string; readonly data: Members } {
  const { event, action, multiplex, join, continue: least, ...others } = node;
  const threshold = least === undefined ? {} : { continue: least };
  if (event !== undefined) return { type: "event", data: { ...others, event: idOf(event) } };
  if (action !== undefined) return { type: "action", data: { enabled: true, ...(action as Members) } };
  if (node["plugin"] !== undefined) return { type: "job", data: others };
  if (multiplex !== undefined)
    return { type: "controller", data: { controller: "multiplex", ...(multiplex as Members), ...threshold } };
  if (join !== undefined) return { type: "controller", data: { controller: "join" } };
  const controller = ["split", "repeat", "decision", "wait"].find((kind) => kind in others);
  return { type: "controller", data: { controller, ...others, ...threshold } };
}

const idOf = (event: unknown): unknown => (typeof event === "string" ? event : (event as { id: unknown }).id);

/** Assigns columns by the distance from the start, and rows by the order of nodes. */
function placed(nodes: readonly GraphNode[], wires: readonly Connection[]): GraphNode[] {
  const bySource = Map.groupBy(wires, ({ source }) => source);
  const columns = new Map<string, number>();
  for (const { id, type } of nodes) if (type === "trigger") columns.set(id, 0);
  const waiting = [...columns.keys()];
  for (const id of waiting)
    for (const { dest } of bySource.get(id) ?? [])
      if (!columns.has(dest)) {
        columns.set(dest, (columns.get(id) ?? 0) + 1);
        waiting.push(dest);
      }
  const rows = new Map<number, number>();
  return nodes.map((node) => {
    const column = columns.get(node.id) ?? 0;
    const row = rows.get(column) ?? 0;
    rows.set(column, row + 1);
    return { ...node, x: column * STEP.x, y: row * STEP.y };
  });
}

const runsJobs = (node: object = {}): boolean => "event" in node || "plugin" in node;

/** The first fault in names and wires, for programs without types; the types already exclude it. */
export function drawingFault({ nodes, wires }: Drawing): string | undefined {
  if (Object.hasOwn(nodes, START)) return `a node cannot be named ${START}`;
  for (const [from, to, condition] of wires) {
    const isKnown = (from === START || Object.hasOwn(nodes, from)) && Object.hasOwn(nodes, to);
    if (!isKnown) return `a wire leads from ${from} to ${to}, and there is no such node`;
    if (condition === undefined && runsJobs(nodes[from])) return `the wire from ${from} to ${to} needs a condition`;
  }
  return undefined;
}
