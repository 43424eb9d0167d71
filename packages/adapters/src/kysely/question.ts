import type { Page, SearchNode } from "@signalbox/core/storage";

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
