import type { Budget } from "../bounds/budget.ts";
import { limits, nestingLimit } from "../bounds/limits.ts";
import { type Data, type Run, readComputed, readFixed } from "../members.ts";
import type { Binary, Filter, FunctionCall, Identifier, MaybeSyntax, Syntax } from "../syntax.ts";
import { type ExpressionFunction, fail, runCall, runHostCall } from "./calls.ts";
import { type FilterParts, runCount, runFilter } from "./filters.ts";
import { fuseBinary, fuseChoice, type Side } from "./fused.ts";
import { chainLogical, type Logical } from "./logical.ts";
import type { Apply } from "./operators.ts";
import { runPath, runSteps } from "./paths.ts";

/** Functions and operators that the expressions of one instance share. Maps, because records would inherit names. */
export interface Vocabulary {
  readonly builtins: ReadonlyMap<string, ExpressionFunction>;
  readonly hostFunctions: ReadonlyMap<string, ExpressionFunction>;
  readonly operators: ReadonlyMap<string, Apply>;
  readonly budget: Budget;
}

interface Position {
  readonly vocabulary: Vocabulary;
  readonly depth: number;
  readonly filters: number;
}

/** A compiled part. `reads` is the number of steps of one run, without nested filters. */
interface Part extends Side {
  readonly reads: number;
  readonly filter?: FilterParts;
}

const deeper = (position: Position): Position => {
  if (position.depth >= limits.syntaxDepth) throw nestingLimit();
  return { ...position, depth: position.depth + 1 };
};

const sumReads = (parts: readonly Part[]): number => parts.reduce((sum, part) => sum + part.reads, 0);

/** Compiles a syntax tree into one closure. Throws when the tree is nested too deeply. */
export const compileSyntax = (syntax: Syntax, vocabulary: Vocabulary): Run =>
  compilePart(syntax, { vocabulary, depth: 0, filters: 0 }).run;

const compilePart = (syntax: MaybeSyntax, parent: Position): Part => {
  if (!syntax) return { run: fail(new SyntaxError("Expression lacks an operand")), reads: 0 };
  const position = deeper(parent);
  switch (syntax.type) {
    case "Literal": {
      const { value } = syntax;
      return { run: () => value, literal: typeof value === "string" ? asKey(value) : value, reads: 0 };
    }
    case "Identifier":
      return compileIdentifier(syntax, position);
    case "BinaryExpression":
      return compileBinary(syntax, position);
    case "UnaryExpression":
      return compileNot(syntax.right, position);
    case "ConditionalExpression":
      return compileConditional(syntax, position);
    case "FilterExpression":
      return syntax.relative ? compileFilter(syntax, position) : compileIndex(syntax, position);
    case "FunctionCall":
      return compileCall(syntax, position);
    case "ArrayLiteral":
      return compileArray(syntax.value, position);
    case "ObjectLiteral":
      return compileObject(syntax.value, position);
  }
};

/** Interns a text as a property key: reading by it and comparing with it is faster. */
const asKey = (name: string): string => Object.keys({ [name]: 0 })[0] ?? name;

const compileIdentifier = (syntax: Identifier, position: Position): Part => {
  const names: string[] = [];
  let node: Syntax = syntax;
  while (node.type === "Identifier" && node.from) {
    names.unshift(asKey(node.value));
    node = node.from;
  }
  if (node.type === "Identifier") {
    // Outside of filters, relative and absolute names both start at the root.
    const path = { relative: node.relative === true || position.filters === 0, names: [asKey(node.value), ...names] };
    return { run: runPath(path), reads: path.names.length };
  }
  const base = compilePart(node, position);
  return { run: runSteps(base.run, names), reads: base.reads + names.length };
};

const isLogical = (operator: string): operator is Logical => operator === "&&" || operator === "||";

const compileBinary = (syntax: Binary, position: Position): Part => {
  if (isLogical(syntax.operator)) return compileLogical(syntax, position);
  const apply = position.vocabulary.operators.get(syntax.operator);
  const left = compilePart(syntax.left, position);
  const right = compilePart(syntax.right, position);
  const reads = left.reads + right.reads;
  if (!apply) return { run: fail(new SyntaxError(`Unknown operator ${syntax.operator}`)), reads };
  const choices = syntax.operator === "in" ? literalsOf(syntax.right) : undefined;
  if (choices) return { run: fuseChoice(left.run, choices), reads: reads + choices.length };
  return { run: fuseBinary(syntax.operator, left, right, apply), reads };
};

/** The values of a literal list in the source, such as `['linux', 'darwin']`. */
const literalsOf = (syntax: Syntax): unknown[] | undefined => {
  if (syntax.type !== "ArrayLiteral") return undefined;
  const values = syntax.value.flatMap((element) => (element.type === "Literal" ? [element.value] : []));
  return values.length === syntax.value.length ? values : undefined;
};

const compileLogical = (syntax: Binary, position: Position): Part => {
  const links: { operator: Logical; part: Part }[] = [];
  let node: Syntax = syntax;
  while (node.type === "BinaryExpression" && isLogical(node.operator)) {
    links.unshift({ operator: node.operator, part: compilePart(node.right, position) });
    node = node.left;
  }
  const first = compilePart(node, position);
  const rest = links.map(({ operator, part }) => ({ operator, run: part.run }));
  return { run: chainLogical(first.run, rest), reads: sumReads([first, ...links.map((link) => link.part)]) };
};

const compileNot = (operand: Syntax, position: Position): Part => {
  const { run, reads } = compilePart(operand, position);
  return { run: (relative, root) => !run(relative, root), reads };
};

const compileConditional = (syntax: Extract<Syntax, { type: "ConditionalExpression" }>, position: Position): Part => {
  const test = compilePart(syntax.test, position);
  const alternate = compilePart(syntax.alternate, position);
  const consequent = syntax.consequent ? compilePart(syntax.consequent, position) : undefined;
  const reads = sumReads(consequent ? [test, alternate, consequent] : [test, alternate]);
  const when = test.run;
  const otherwise = alternate.run;
  if (!consequent) return { run: (relative, root) => when(relative, root) || otherwise(relative, root), reads };
  const then = consequent.run;
  return {
    run: (relative, root) => (when(relative, root) ? then(relative, root) : otherwise(relative, root)),
    reads,
  };
};

const compileFilter = (syntax: Filter, position: Position): Part => {
  if (position.filters >= limits.filterDepth) throw nestingLimit();
  const subject = compilePart(syntax.subject, position);
  const predicate = compilePart(syntax.expr, { ...position, filters: position.filters + 1 });
  const filter = { subject: subject.run, predicate: predicate.run, stepsPerElement: 1 + predicate.reads };
  return { run: runFilter(filter, position.vocabulary.budget), reads: subject.reads, filter };
};

const compileIndex = (syntax: Filter, position: Position): Part => {
  const subject = compilePart(syntax.subject, position);
  const index = compilePart(syntax.expr, position);
  const reads = subject.reads + index.reads + 1;
  const from = subject.run;
  const key = index.literal;
  if (typeof key === "string" || typeof key === "number") {
    return { run: (relative, root) => readFixed(from(relative, root), key), reads };
  }
  const at = index.run;
  return {
    run: (relative, root) => {
      const value = from(relative, root);
      return readComputed(value, at(relative, root));
    },
    reads,
  };
};

const poolTitles = { functions: "Jexl Function", transforms: "Transform" } as const;

const compileCall = (syntax: FunctionCall, position: Position): Part => {
  const { builtins, hostFunctions, budget } = position.vocabulary;
  const args = syntax.args.map((arg) => compilePart(arg, position));
  const reads = sumReads(args) + 1;
  const runs = args.map((arg) => arg.run);
  const isFunction = syntax.pool === "functions";
  const builtin = isFunction ? builtins.get(syntax.name) : undefined;
  const [first] = args;
  if (builtin && syntax.name === "count" && args.length === 1 && first?.filter)
    return { run: runCount(first.filter, budget), reads };
  if (builtin) return { run: runCall(builtin, runs), reads };
  const hostFunction = isFunction ? hostFunctions.get(syntax.name) : undefined;
  if (hostFunction) return { run: runHostCall(hostFunction, runs, budget), reads };
  return { run: fail(new Error(`${poolTitles[syntax.pool]} ${syntax.name} is not defined.`)), reads };
};

const compileArray = (elements: readonly Syntax[], position: Position): Part => {
  const parts = elements.map((element) => compilePart(element, position));
  const runs = parts.map((part) => part.run);
  return { run: (relative, root) => runs.map((run) => run(relative, root)), reads: sumReads(parts) };
};

const compileObject = (members: Readonly<Record<string, MaybeSyntax>>, position: Position): Part => {
  const parts = Object.entries(members).map(([name, member]) => ({ name, ...compilePart(member, position) }));
  const build = (relative: Data, root: Data): unknown => {
    const result: Record<string, unknown> = {};
    for (const { name, run } of parts) result[name] = run(relative, root);
    return result;
  };
  return { run: build, reads: sumReads(parts) };
};
