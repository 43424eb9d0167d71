import { type Graph, type GraphNode, textOf } from "../graph/model.ts";

/** Records that a graph may refer to, as far as the viewer can see them. */
export interface Known {
  /** Id of the workflow itself, which must not run itself; "" before it is saved. */
  readonly own: string;
  readonly events: ReadonlySet<string>;
  readonly plugins: ReadonlySet<string>;
  readonly categories: ReadonlySet<string>;
  /** Ids of the event's triggers. */
  readonly triggers: ReadonlySet<string>;
}

/** A fault as the key of its text, and the value that it is about. */
export interface Fault {
  readonly node: string;
  readonly text: FaultName;
  readonly about: string;
}
export type FaultName =
  | "fault.noEvent"
  | "fault.self"
  | "fault.event"
  | "fault.plugin"
  | "fault.category"
  | "fault.type"
  | "fault.targets"
  | "fault.amount"
  | "fault.duration"
  | "fault.action"
  | "fault.one"
  | "fault.alone"
  | "fault.circle"
  | "fault.trigger"
  | "fault.controller";

type Check = (node: GraphNode, known: Known) => Omit<Fault, "node"> | undefined;

const list = (value: unknown): boolean => value === undefined || Array.isArray(value);

const CHECKS: Readonly<Record<string, Check>> = {
  event(node, { own, events }) {
    const event = textOf(node, "event");
    if (!event) return { text: "fault.noEvent", about: "" };
    if (event === own) return { text: "fault.self", about: event };
    if (!events.has(event)) return { text: "fault.event", about: event };
    return list(node.data?.["targets"]) ? undefined : { text: "fault.targets", about: "" };
  },
  job(node, { plugins, categories }) {
    const [plugin, category] = [textOf(node, "plugin"), textOf(node, "category")];
    if (!plugins.has(plugin)) return { text: "fault.plugin", about: plugin };
    if (category && !categories.has(category)) return { text: "fault.category", about: category };
    return list(node.data?.["targets"]) ? undefined : { text: "fault.targets", about: "" };
  },
  trigger: ({ id }, { triggers }) => (triggers.has(id) ? undefined : { text: "fault.trigger", about: id }),
  action: (node) => (textOf(node, "type") ? undefined : { text: "fault.action", about: "" }),
  limit(node) {
    const type = textOf(node, "type");
    if (["job", "mem", "cpu", "log"].includes(type) && !(Number(textOf(node, "amount")) > 0))
      return { text: "fault.amount", about: type };
    if (type === "time" && !(Number(textOf(node, "duration")) > 0)) return { text: "fault.duration", about: type };
    return type ? undefined : { text: "fault.action", about: "" };
  },
  controller: (node) =>
    CONTROLLERS.includes(textOf(node, "controller"))
      ? undefined
      : { text: "fault.controller", about: textOf(node, "controller") },
  note: () => undefined,
};
const CONTROLLERS = ["multiplex", "repeat", "split", "join", "decision", "wait"];
/** Controllers that start jobs of exactly one node. */
const STARTING: ReadonlySet<string> = new Set(["multiplex", "repeat", "split"]);
const LED_TO: ReadonlySet<string> = new Set(["event", "job", "controller"]);

/**
 * Faults that the server would refuse, or that defeat the author's intent, by docs/contract/workflows.md#faults.
 * Parameters and expressions are checked only by the server.
 */
export function faultsOf(graph: Graph, known: Known): Fault[] {
  const types = new Map(graph.nodes.map(({ id, type }) => [id, type]));
  const outgoing = new Map<string, string[]>();
  const reached = new Set<string>();
  for (const { source, dest } of graph.connections) {
    outgoing.set(source, [...(outgoing.get(source) ?? []), types.get(dest) ?? ""]);
    reached.add(dest);
  }
  const faultOf = (node: GraphNode): Omit<Fault, "node"> | undefined => {
    const check = Object.hasOwn(CHECKS, node.type) ? CHECKS[node.type] : undefined;
    if (!check) return { text: "fault.type", about: node.type };
    const isLedTo = reached.has(node.id) || graph.start === node.id;
    return check(node, known) ?? wireFault(node, outgoing.get(node.id) ?? []) ?? wayFault(graph, node, isLedTo);
  };
  return graph.nodes.flatMap((node): Fault[] => {
    const fault = faultOf(node);
    return fault ? [{ node: node.id, ...fault }] : [];
  });
}

const ALONE = { text: "fault.alone", about: "" } as const;
const CIRCLE = { text: "fault.circle", about: "" } as const;

function wayFault(graph: Graph, node: GraphNode, isLedTo: boolean): Omit<Fault, "node"> | undefined {
  if (LED_TO.has(node.type) && !isLedTo) return ALONE;
  return textOf(node, "controller") === "join" && waitsForItself(graph, node.id) ? CIRCLE : undefined;
}

/** All nodes reachable from `starts`, including these. The search does not continue beyond `closed`. */
function reachedFrom(graph: Graph, starts: readonly string[], closed?: string): ReadonlySet<string> {
  const outgoing = Map.groupBy(graph.connections, ({ source }) => source);
  const reached = new Set(starts);
  for (const id of reached) for (const { dest } of id === closed ? [] : (outgoing.get(id) ?? [])) reached.add(dest);
  return reached;
}

/**
 * True if a join waits for itself. A join waits for every wire: one that is reachable only through the join blocks it
 * forever, and the run ends without what follows.
 */
function waitsForItself(graph: Graph, join: string): boolean {
  const triggers = graph.nodes.filter(({ type }) => type === "trigger").map(({ id }) => id);
  const before = reachedFrom(graph, [...triggers, ...(graph.start ? [graph.start] : [])], join);
  const behind = reachedFrom(graph, [join]);
  return graph.connections.some(({ source, dest }) => dest === join && behind.has(source) && !before.has(source));
}

function wireFault(node: GraphNode, behind: readonly string[]): Omit<Fault, "node"> | undefined {
  const kind = textOf(node, "controller");
  const isOne = behind.length === 1 && (behind[0] === "event" || behind[0] === "job");
  return STARTING.has(kind) && !isOne ? { text: "fault.one", about: kind } : undefined;
}
