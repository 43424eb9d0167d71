import type { SearchNode } from "../../../search/ast.ts";

/** Part of a caller that limits which servers it sees. */
interface Limited {
  readonly privileges: Readonly<Record<string, true>>;
  /** Empty = all. */
  readonly groups: readonly string[];
}

/** What of the servers a caller may see, as a condition of its own; undefined = everything. Same as `serverGroups` of `decide`. */
export function visibleServers({ privileges, groups }: Limited): SearchNode | undefined {
  const isUnlimited = Object.hasOwn(privileges, "admin") || groups.length === 0 || groups.includes("*");
  return isUnlimited ? undefined : { kind: "term", field: "groups", words: [...groups] };
}
