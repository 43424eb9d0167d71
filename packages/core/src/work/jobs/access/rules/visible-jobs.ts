import { type EffectiveRights, isUnlimited } from "../../../../directory/access/rules/access.ts";
import { allOf, anyOf, hasWord, type SearchNode } from "../../../../search/ast.ts";

/**
 * Search condition for the finished jobs that a caller may see
 * (docs/contract/jobs.md#reads-and-their-restrictions); undefined = all of them.
 */
export function visibleJobs({ privileges, categories, groups }: EffectiveRights): SearchNode | undefined {
  if (Object.hasOwn(privileges, "admin")) return undefined;
  const inGroups = anyOf([hasWord("groups", groups), hasWord("targets", groups), hasWord("type", "workflow")]);
  const nodes = [
    ...(isUnlimited(categories) ? [] : [hasWord("category", categories)]),
    ...(isUnlimited(groups) ? [] : [inGroups]),
  ];
  return nodes.length === 0 ? undefined : allOf(nodes);
}
