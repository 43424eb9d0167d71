import type { AnyCollection, Page, SearchNode } from "@signalbox/core/storage";
import { comparedValue } from "../indexes/index-values.ts";

/** A condition as unambiguous text. Unlike JSON, it distinguishes null from a number that is not finite. */
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

/** A page as unambiguous text. */
export const textOfPage = ({ sortBy = "", descending, offset, limit }: Page): string =>
  `${sortBy} ${descending} ${offset} ${limit}`;

/**
 * The text of a condition without its values, for collections without a word index: the statement for one server also serves any
 * other.
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

/** The values of such a statement, in their order in it. */
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
