import { type AnyCollection, indexText, isWord, type SearchNode } from "@signalbox/core/storage";
import type { WordQuery } from "../dialect.ts";

/** Conditions nested more deeply are split into several queries to the index, joined in SQL. */
const MAX_DEPTH = 8;

/** The condition without redundant parts: impossible phrases, empty lists, and groups whose result is fixed. */
export function simplify(definition: AnyCollection, node: SearchNode): SearchNode {
  switch (node.kind) {
    case "term":
      requireField(definition, definition.terms, node.field);
      return node.words.length === 0 ? { kind: "none" } : { ...node, words: [...new Set(node.words.map(indexText))] };
    case "text": {
      requireField(definition, definition.text, node.field);
      const phrases = node.phrases.filter((phrase) => phrase.length > 0 && phrase.every(isWord));
      return phrases.length === 0 ? { kind: "none" } : { ...node, phrases };
    }
    case "not":
      return negationOf(simplify(definition, node.node));
    case "and":
    case "or":
      return simplifyGroup(definition, node);
    default:
      return node;
  }
}

function negationOf(node: SearchNode): SearchNode {
  if (node.kind === "all") return { kind: "none" };
  if (node.kind === "none") return { kind: "all" };
  return node.kind === "not" ? node.node : { kind: "not", node };
}

function simplifyGroup(definition: AnyCollection, node: SearchNode & { kind: "and" | "or" }): SearchNode {
  const [neutral, decisive] = node.kind === "and" ? (["all", "none"] as const) : (["none", "all"] as const);
  const parts = node.nodes
    .map((part) => simplify(definition, part))
    .flatMap((part) => (part.kind === node.kind ? part.nodes : [part]))
    .filter(({ kind }) => kind !== neutral);
  if (parts.some(({ kind }) => kind === decisive)) return { kind: decisive };
  const [first] = parts;
  if (!first) return { kind: neutral };
  return parts.length === 1 ? first : { kind: node.kind, nodes: parts };
}

function requireField(definition: AnyCollection, declared: object | undefined, field: string): void {
  if (!declared || !Object.hasOwn(declared, field)) throw unknownField(definition, field);
}

export const unknownField = (definition: AnyCollection, field: string): TypeError =>
  new TypeError(`Collection ${definition.name} declares no index named ${field}`);

export interface WordParts {
  /** Undefined = nothing in it is for the word index. */
  readonly words: WordQuery | undefined;
  /** The condition that must also be true. */
  readonly rest: SearchNode;
}

/** Splits a simplified condition into one query for the word index, and the rest. */
export function splitWords(node: SearchNode): WordParts {
  const whole = wordsOf(node, MAX_DEPTH);
  if (whole) return { words: whole, rest: { kind: "all" } };
  if (node.kind !== "and") return { words: undefined, rest: node };
  const inside = node.nodes.filter((part) => wordsOf(part, MAX_DEPTH - 1) !== undefined);
  if (inside.length === 0) return { words: undefined, rest: node };
  const without = node.nodes.filter((part) => negated(part, MAX_DEPTH - 1) !== undefined);
  const words = wordsOf({ kind: "and", nodes: [...inside, ...without] }, MAX_DEPTH);
  const rest = node.nodes.filter((part) => !inside.includes(part) && !without.includes(part));
  return { words, rest: rest.length === 0 ? { kind: "all" } : { kind: "and", nodes: rest } };
}

/** The question that a part negates, if the index can answer it. */
const negated = (node: SearchNode, depth: number): WordQuery | undefined =>
  node.kind === "not" ? wordsOf(node.node, depth) : undefined;

/** The whole condition as one question; undefined when the index cannot answer it. */
function wordsOf(node: SearchNode, depth: number): WordQuery | undefined {
  if (depth === 0) return undefined;
  if (node.kind === "term" || node.kind === "text") return node;
  if (node.kind === "or") {
    const parts = node.nodes.map((part) => wordsOf(part, depth - 1));
    return parts.every((part) => part !== undefined) ? groupOf("or", parts) : undefined;
  }
  return node.kind === "and" ? conjunctionOf(node.nodes, depth - 1) : undefined;
}

/** A conjunction as one query. It needs a positive part, from which negated parts are subtracted. */
function conjunctionOf(nodes: readonly SearchNode[], depth: number): WordQuery | undefined {
  const positive: WordQuery[] = [];
  const negative: WordQuery[] = [];
  for (const node of nodes) {
    const [part, not] = [wordsOf(node, depth), negated(node, depth)];
    if (part) positive.push(part);
    else if (not) negative.push(not);
    else return undefined;
  }
  if (positive.length === 0) return undefined;
  const part = groupOf("and", positive);
  return negative.length === 0 ? part : { kind: "but", part, not: groupOf("or", negative) };
}

const groupOf = (kind: "and" | "or", parts: readonly WordQuery[]): WordQuery =>
  parts.length === 1 && parts[0] ? parts[0] : { kind, parts };
