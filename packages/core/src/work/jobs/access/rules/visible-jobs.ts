import { allOf, anyOf, hasWord, type SearchNode } from "../../../../search/ast.ts";

/** Part of a caller that limits which jobs it sees. */
interface Limited {
  readonly privileges: Readonly<Record<string, true>>;
  /** Empty = all. */
  readonly categories: readonly string[];
  readonly groups: readonly string[];
}

const isUnlimited = (list: readonly string[]): boolean => list.length === 0 || list.includes("*");

/**
 * Search condition for the finished jobs that a caller may see
 * (docs/contract/jobs.md#reads-and-their-restrictions); undefined = all of them.
 */
export function visibleJobs({ privileges, categories, groups }: Limited): SearchNode | undefined {
  if (Object.hasOwn(privileges, "admin")) return undefined;
  const inGroups = anyOf([hasWord("groups", groups), hasWord("targets", groups), hasWord("type", "workflow")]);
  const nodes = [
    ...(isUnlimited(categories) ? [] : [hasWord("category", categories)]),
    ...(isUnlimited(groups) ? [] : [inGroups]),
  ];
  return nodes.length === 0 ? undefined : allOf(nodes);
}
