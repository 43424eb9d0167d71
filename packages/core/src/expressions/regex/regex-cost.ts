import { type CharSet, overlap } from "./char-set.ts";
import { parseRegex, type RegexNode } from "./regex-syntax.ts";

/** Steps that native matching may take: well under 50 ms on any machine. */
const stepBudget = 8_000_000;
const maxSubject = 64 * 1024;
const maxPlaces = 400;
const maxEdges = 4000;
const maxWays = 100_000;

/** A position in the pattern that reads one character, and the positions that can read the next one. */
interface Place {
  readonly set: CharSet;
  readonly looped: boolean;
  readonly next: number[];
}

interface Graph {
  readonly places: Place[];
  edges: number;
  loops: number;
  /** True while every loop repeats a single character set. */
  simpleLoops: boolean;
}

/** A part of a pattern: its first and last places, whether it can be empty, and the number of ways through it. */
interface Fragment {
  readonly first: readonly number[];
  readonly last: readonly number[];
  readonly nullable: boolean;
  readonly ways: number;
}

const nothing: Fragment = { first: [], last: [], nullable: true, ways: 1 };

const tooComplex = Symbol("too complex");

const connect = (graph: Graph, from: readonly number[], to: readonly number[]): void => {
  graph.edges += from.length * to.length;
  if (graph.edges > maxEdges) throw tooComplex;
  // An edge added twice means two ways to read the same text: it is kept twice and detected as an overlap.
  for (const place of from) graph.places[place]?.next.push(...to);
};

const build = (graph: Graph, node: RegexNode, looped: boolean): Fragment => {
  switch (node.type) {
    case "assertion":
      return nothing;
    case "set": {
      const place = graph.places.push({ set: node.set, looped, next: [] }) - 1;
      if (place >= maxPlaces) throw tooComplex;
      return { first: [place], last: [place], nullable: false, ways: 1 };
    }
    case "sequence":
      return node.parts.reduce<Fragment>((left, part) => join(graph, left, build(graph, part, looped)), nothing);
    case "choice":
      return node.options.map((option) => build(graph, option, looped)).reduce(either);
    case "repeat":
      return repeat(graph, node, looped);
  }
};

const join = (graph: Graph, left: Fragment, right: Fragment): Fragment => {
  connect(graph, left.last, right.first);
  const ways = left.ways * right.ways;
  if (ways > maxWays) throw tooComplex;
  return {
    first: left.nullable ? [...left.first, ...right.first] : left.first,
    last: right.nullable ? [...left.last, ...right.last] : right.last,
    nullable: left.nullable && right.nullable,
    ways,
  };
};

const either = (left: Fragment, right: Fragment): Fragment => ({
  first: [...left.first, ...right.first],
  last: [...left.last, ...right.last],
  nullable: left.nullable || right.nullable,
  ways: left.ways + right.ways,
});

const optional = (body: Fragment): Fragment => ({ ...body, nullable: true, ways: body.ways + 1 });

type Repeat = Extract<RegexNode, { type: "repeat" }>;

/** Expands `x{2,4}` to `xx(x(x)?)?`, and `x{2,}` to `xx+`. */
const repeat = (graph: Graph, { body, min, max }: Repeat, looped: boolean): Fragment => {
  if (max === 0) return nothing;
  if (min > maxPlaces || (max !== Number.POSITIVE_INFINITY && max > maxPlaces)) throw tooComplex;
  if (max === Number.POSITIVE_INFINITY) {
    const head = copies(graph, body, Math.max(min - 1, 0), looped);
    const tail = loop(graph, body);
    return join(graph, head, min === 0 ? optional(tail) : tail);
  }
  return join(graph, copies(graph, body, min, looped), options(graph, body, max - min, looped));
};

const copies = (graph: Graph, body: RegexNode, times: number, looped: boolean): Fragment => {
  let result = nothing;
  for (let copy = 0; copy < times; copy++) result = join(graph, result, build(graph, body, looped));
  return result;
};

const options = (graph: Graph, body: RegexNode, times: number, looped: boolean): Fragment => {
  if (times === 0) return nothing;
  const one = build(graph, body, looped);
  // A body that can be empty could be skipped in many ways at the same place.
  if (one.nullable) throw tooComplex;
  return optional(join(graph, one, options(graph, body, times - 1, looped)));
};

const loop = (graph: Graph, body: RegexNode): Fragment => {
  graph.loops++;
  if (body.type !== "set") graph.simpleLoops = false;
  const one = build(graph, body, true);
  if (one.nullable) throw tooComplex;
  connect(graph, one.last, one.first);
  return { ...one, ways: 1 };
};

/** True when each character read inside a loop determines the next place: then no text can be read in two ways there. */
const loopsAreDecided = ({ places }: Graph): boolean =>
  places.every(({ looped, next }) => {
    if (!looped) return true;
    const sets = next.map((place) => places[place]?.set ?? []);
    return sets.every((set, index) => sets.slice(index + 1).every((other) => !overlap(set, other)));
  });

const isAnchored = (node: RegexNode): boolean => {
  if (node.type === "assertion") return node.start;
  if (node.type === "choice") return node.options.every(isAnchored);
  const [head] = node.type === "sequence" ? node.parts : [];
  return head !== undefined && isAnchored(head);
};

/** Steps per character of the subject from one starting point; undefined when they are unbounded. */
const stepsPerCharacter = (graph: Graph, ways: number): number | undefined => {
  const widest = Math.max(1, ...graph.places.map((place) => place.next.length));
  if (loopsAreDecided(graph)) return ways * widest;
  // A single loop like `.*` before a fixed rest: the rest is tried once at each place where the loop can stop.
  const single = graph.loops === 1 && graph.simpleLoops;
  return single ? ways * widest * graph.places.length : undefined;
};

const limitOf = (node: RegexNode): number => {
  const graph: Graph = { places: [], edges: 0, loops: 0, simpleLoops: true };
  const { ways } = build(graph, node, false);
  // Without loops the cost of a starting point depends only on the pattern.
  if (graph.loops === 0) return Math.min(maxSubject, Math.floor(stepBudget / (ways * (graph.places.length + 1))));
  const steps = stepsPerCharacter(graph, ways);
  if (steps === undefined) return 0;
  if (isAnchored(node)) return Math.min(maxSubject, Math.floor(stepBudget / steps));
  return Math.min(maxSubject, Math.floor(Math.sqrt((2 * stepBudget) / steps)));
};

/**
 * The longest subject, in characters, for which matching certainly takes at most a few milliseconds; 0 when nothing is certain.
 * Errs on the low side.
 */
export const quickSubjectLimit = (pattern: string): number => {
  const node = parseRegex(pattern);
  if (!node) return 0;
  try {
    return limitOf(node);
  } catch (error) {
    if (error === tooComplex) return 0;
    throw error;
  }
};
