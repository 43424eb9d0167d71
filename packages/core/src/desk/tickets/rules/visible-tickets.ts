import { hasWord, type SearchNode } from "../../../search/ast.ts";

/** Part of a caller that limits which tickets it sees. */
interface Limited {
  readonly privileges: Readonly<Record<string, true>>;
  /** Empty = all. */
  readonly categories: readonly string[];
}

/** Condition for the tickets that a caller may see (docs/contract/search.md#reach); undefined = everything. */
export function visibleTickets({ privileges, categories }: Limited): SearchNode | undefined {
  const isUnlimited = categories.length === 0 || categories.includes("*") || Object.hasOwn(privileges, "admin");
  return isUnlimited ? undefined : hasWord("category", categories);
}
