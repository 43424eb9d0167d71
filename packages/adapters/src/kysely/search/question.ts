import type { AnyCollection, Page, SearchNode } from "@signalbox/core/storage";
import { comparedValue } from "../indexes/index-values.ts";

/** A condition as a text that no other condition has; unlike JSON it tells null from a number that is none. */
export function textOf(node: SearchNode): string {
  switch (node.kind) {
    case "not":
      return `not(${textOf(node.node)})`;
    case "and":
    case "or":
      return `${node.kind}(${node.nodes.map(textOf).join()})`;
    case "term":
      return `term${JSON.stringify([node.field, node.words])}`;
    case "text":
      return `text${JSON.stringify([node.field, node.phrases])}`;
    case "compare": {
      const value = typeof node.value === "number" ? node.value : JSON.stringify(node.value);
      return `${node.operator}${JSON.stringify(node.field)}${value}`;
    }
    default:
      return node.kind;
  }
}

/** A page as a text that no other page has. */
export const textOfPage = ({ sortBy = "", descending, offset, limit }: Page): string =>
  `${sortBy} ${descending} ${offset} ${limit}`;

/**
 * Text of a question without the values of its condition, where words have no index of their own: the statement for one
 * server is that for any other.
 */
export function shapeOf(definition: AnyCollection, node: SearchNode): string {
  switch (node.kind) {
    case "not":
      return `not(${shapeOf(definition, node.node)})`;
    case "and":
    case "or":
      return `${node.kind}(${node.nodes.map((part) => shapeOf(definition, part)).join()})`;
    case "term":
      return `term${JSON.stringify(node.field)}${"?".repeat(node.words.length)}`;
    case "compare": {
      const value = comparedValue(definition, node) === null ? `${node.value === null}` : "?";
      return `${node.operator}${JSON.stringify(node.field)}${value}`;
    }
    default:
      return textOf(node);
  }
}

/** The values of such a statement, in the order in which they stand in it. */
export function valuesOf(definition: AnyCollection, node: SearchNode): unknown[] {
  switch (node.kind) {
    case "not":
      return valuesOf(definition, node.node);
    case "and":
    case "or":
      return node.nodes.flatMap((part) => valuesOf(definition, part));
    case "term":
      return [node.field, ...node.words];
    case "compare": {
      const value = comparedValue(definition, node);
      return value === null ? [] : [value];
    }
    default:
      return [];
  }
}
