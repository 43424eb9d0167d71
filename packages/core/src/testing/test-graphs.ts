import { createExpressions } from "../expressions/index.ts";
import type { Connection, Graph, GraphNode } from "../work/graphs/model.ts";
import {
  EMPTY_RUN,
  type Kept,
  type NodeRow,
  type PartEnd,
  type Payload,
  type Question,
  type RunState,
  type SplitQuestion,
} from "../work/workflows/model.ts";
import type { Order, World } from "../work/workflows/rules/draft.ts";
import { type GraphIndex, indexGraph } from "../work/workflows/rules/graph/graph-index.ts";
import { splitItems } from "../work/workflows/rules/split.ts";
import { type Answer, advance, type Happening } from "../work/workflows/rules/steps/advance.ts";
import { joined } from "../work/workflows/rules/steps/joins.ts";
import { nextKey } from "../work/workflows/rules/steps/left.ts";
import { inputPieces, type Portions, pieceKey, serverPieces } from "../work/workflows/rules/steps/portions.ts";

type Members = Readonly<Record<string, unknown>>;
type Launched = Order & { readonly kind: "launch" };

/** A graph in short form: types of nodes or their controllers' data, and wires such as "a>b:success". */
export interface PlayedGraph {
  readonly nodes: Readonly<Record<string, string | Members>>;
  readonly wires: readonly string[];
  readonly maxJobs?: number;
  /** The event's triggers; default: "start". */
  readonly triggers?: readonly string[];
  /** Conditions under which actions run in a test run. */
  readonly conditions?: readonly string[];
  /** Servers that a multiplexer finds. */
  readonly servers?: readonly string[] | { readonly aborts: string };
  readonly input?: Payload;
  readonly workflowData?: Members;
  /** Default: "start", a trigger. */
  readonly start?: string | undefined;
  /** A complete graph instead of nodes and wires. */
  readonly graph?: Graph;
}

/** End of a played job; absent members default to a success. */
export type PlayedEnd = Partial<PartEnd> & { readonly output?: Payload; readonly record?: Members };

const DEFAULTS: Readonly<Record<string, Members>> = {
  job: { plugin: "p" },
  event: { event: "e" },
  action: { enabled: true, type: "tag" },
};

const connectionOf = (wire: string, index: number): Connection => {
  const [, source = "", dest = "", condition] = /^(\w+)>(\w+)(?::(.+))?$/.exec(wire) ?? [];
  return { id: `c${index + 1}`, source, dest, ...(condition ? { condition } : {}) };
};

function nodeOf(id: string, what: string | Members): GraphNode {
  const node =
    typeof what === "string"
      ? { type: what, data: DEFAULTS[what] ?? {} }
      : "controller" in what
        ? { type: "controller", data: what }
        : what;
  return { id, ...node } as unknown as GraphNode;
}

function graphOf({ nodes, wires }: PlayedGraph): Graph {
  const all = Object.entries({ start: "trigger", ...nodes });
  return { nodes: all.map(([id, what]) => nodeOf(id, what)), connections: wires.map(connectionOf) };
}

/** A run without engine, storage and time: the test decides what its parts do, and in which order. */
export class PlayedRun {
  state: RunState = EMPTY_RUN;
  readonly rows = new Map<string, NodeRow>();
  readonly orders: Order[] = [];
  readonly launches: Launched[] = [];
  readonly kept = new Map<string, Kept>();
  now = 1000;
  readonly #graph: GraphIndex;
  readonly #how: PlayedGraph;
  readonly #outputs: { readonly node: string; readonly output: Payload }[] = [];
  #ended = 0;

  constructor(how: PlayedGraph) {
    this.#how = how;
    this.#graph = indexGraph(how.graph ?? graphOf(how));
    const { input = {}, workflowData = {} } = how;
    const start = "start" in how ? how.start : "start";
    this.take({ kind: "begin", start, input, workflowData });
  }

  /** Applies a happening and its consequences; then `settle`, as after each step, checks whether the run is over. */
  take(happening: Happening, settles = true): this {
    const queue = [happening];
    for (let next = queue.shift(); next; next = queue.shift() ?? this.#next()) this.#step(next, queue);
    return settles ? this.take({ kind: "settle" }, false) : this;
  }

  /** The next happening that a service causes by itself; `more` requests jobs of an activation beyond the first ones. */
  #next(): Happening | undefined {
    if (this.state.aborted !== undefined) return undefined;
    const [first] = this.state.left;
    if (first) return { kind: "left", kept: { ...this.kept.get(first.key), ...this.kept.get(nextKey(first)) } };
    const isFresh = ([, { launched }]: [string, { readonly launched: number }]): boolean => launched === 0;
    const [activation] = Object.entries(this.state.activations).find(isFresh) ?? [];
    return activation === undefined ? undefined : this.#more(activation);
  }

  /** Ends the next job of a node. */
  end(node: string, { output = {}, record = {}, ...members }: PlayedEnd = {}): this {
    const launch = this.launches.find((each) => each.node === node && !this.#over.has(each));
    if (!launch) throw new Error(`No job of ${node} runs`);
    const { succeeded = true, retried = false } = members;
    if (!retried) {
      this.#over.add(launch);
      this.#outputs.push({ node, output });
    }
    this.#ended += 1;
    const end: PartEnd = {
      id: `j${this.#ended}`,
      node,
      activation: launch.activation,
      succeeded,
      retried,
      tags: [],
      actions: [],
      conditions: ["complete", succeeded ? "success" : "error"],
      parent: { job: `j${this.#ended}` },
      ...members,
    };
    return this.take({ kind: "ended", end, output, job: { id: end.id, ...output, ...record } });
  }

  fail(node: string, members: PlayedEnd = {}): this {
    return this.end(node, { ...members, succeeded: false });
  }

  /** Ends the next stand-alone action of a node; `again` = how often its end is reported. */
  acted(node: string, result: Members, again = 1): this {
    const act = this.orders.find((order) => order.kind === "act" && order.node === node && !this.#acted.has(order));
    if (act?.kind !== "act") throw new Error(`No action of ${node} runs`);
    this.#acted.add(act);
    for (let told = 0; told < again; told++) this.take({ kind: "acted", node, number: act.number, result });
    return this;
  }

  /** Lets time pass and ends waits that are due. */
  wait(seconds: number): this {
    this.now += seconds;
    for (const [node, at] of Object.entries(this.state.waits))
      if (at <= this.now) this.take({ kind: "due", node, kept: this.kept.get(`wait:${node}`) as Kept });
    return this;
  }

  /** Summary of the run's state, for tables of cases. */
  get view() {
    const finish = this.orders.find((order) => order.kind === "finish");
    return {
      ran: this.launches.map(({ node }) => node).join(" "),
      inputs: this.launches.map(({ arrival }) => arrival.input),
      warnings: this.orders.flatMap((order) =>
        order.kind === "meta" && order.text.startsWith("WARNING: ") ? [order.text.slice(9)] : [],
      ),
      acts: this.orders.flatMap((order) => (order.kind === "act" ? [`${order.node}:${order.condition}`] : [])),
      state: Object.fromEntries([...this.rows].map(([name, { shown }]) => [name, shown])),
      aborted: this.state.aborted,
      result: finish && { code: finish.code, description: finish.description },
      shared: this.state.workflowData,
      told: this.state.told,
    };
  }

  readonly #over = new Set<Launched>();
  readonly #acted = new Set<Order>();

  #step(happening: Happening, queue: Happening[]): void {
    const after = advance(this.#world(), { state: this.state, nodes: this.rows }, happening);
    this.state = after.state;
    for (const [name, row] of after.rows) this.rows.set(name, row);
    this.orders.push(...after.orders);
    for (const order of after.orders) this.#obey(order, queue);
  }

  #obey(order: Order, queue: Happening[]): void {
    if (order.kind === "launch") this.launches.push(order);
    else if (order.kind === "keep") {
      this.kept.set(order.key, order.kept);
      this.#keepPieces(order.key, order.pieces ?? []);
      const { question } = order.kept;
      if (question) queue.push({ kind: "answered", key: order.key, answer: this.#answer(order.key, question) });
    } else if (order.kind === "unkeep") this.kept.delete(order.key);
  }

  #keepPieces(key: string, pieces: readonly Kept[]): void {
    for (const [index, piece] of pieces.entries()) this.kept.set(`${key}/${index}`, piece);
  }

  #answer(key: string, question: Question): Answer {
    if (question.kind === "gather") {
      const { join, sources } = question;
      const outputs = sources.flatMap((source) => this.#outputs.filter(({ node }) => node === source));
      return { kind: "gathered", join, input: joined(outputs.map(({ output }) => output)) };
    }
    const { controller, node, arrival } = question;
    return { kind: "jobs", controller, node, arrival, portions: this.#portions(`${key}.try`, question) };
  }

  #portions(key: string, question: Exclude<Question, { kind: "gather" }>): Portions {
    const { maxJobs, shared } = this.#world();
    if (question.kind === "servers") {
      const { servers = [] } = this.#how;
      if ("aborts" in servers) return servers;
      this.#keepPieces(key, serverPieces(servers, maxJobs));
      return { count: servers.length, pieces: key };
    }
    const inputs = this.#itemsOf(question, shared);
    this.#keepPieces(key, inputPieces(inputs, maxJobs));
    return { count: inputs.length, pieces: key, replaced: Object.keys(inputs[0] ?? {}) };
  }

  /** Starts the next jobs of an activation; the service requests further ones step by step. */
  more(activation: string): this {
    return this.take(this.#more(activation));
  }

  #more(activation: string): Happening {
    const { launched = 0, pieces } = this.state.activations[activation] ?? {};
    const piece = pieces === undefined ? {} : this.kept.get(pieceKey(pieces, launched));
    return { kind: "more", activation, kept: { ...this.kept.get(activation), ...piece } };
  }

  #itemsOf({ controller, context }: SplitQuestion, shared: Members): readonly Payload[] {
    const node = this.#graph.node(controller);
    if (node?.type !== "controller") return [];
    const { evaluate } = this.#world();
    const steps = splitItems(node.data, (text, more) => evaluate(text, { ...shared, ...context, ...more }));
    for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
  }

  #world(): World {
    const { maxJobs = 1000, triggers = ["start"], conditions } = this.#how;
    return {
      graph: this.#graph,
      now: this.now,
      maxJobs,
      triggers: new Set(triggers),
      allows: (condition) => conditions?.includes(condition) ?? true,
      evaluate: (text, context) => expressions.compile(text).evaluate(context),
      shared: { workflow: { id: "jflow" }, params: { region: "eu" } },
    };
  }
}

const expressions = createExpressions();
