import { hasWord, type SearchNode } from "../../../../search/ast.ts";

/** Part of a caller that limits which servers it sees. */
interface Limited {
  readonly privileges: Readonly<Record<string, true>>;
  /** Empty = all. */
  readonly groups: readonly string[];
}

/** Search condition for the servers that a caller may see; undefined = all. Same as `serverGroups` of `decide`. */
export function visibleServers({ privileges, groups }: Limited): SearchNode | undefined {
  const isUnlimited = Object.hasOwn(privileges, "admin") || groups.length === 0 || groups.includes("*");
  return isUnlimited ? undefined : hasWord("groups", [...groups]);
}
