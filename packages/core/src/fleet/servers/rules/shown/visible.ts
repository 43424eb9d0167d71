import { type EffectiveRights, isUnlimited } from "../../../../directory/access/rules/access.ts";
import { hasWord, type SearchNode } from "../../../../search/ast.ts";

type Limits = Pick<EffectiveRights, "groups" | "privileges">;

/** Search condition for the servers that a caller may see; undefined = all. Same rule as `serverGroups` of `decide`. */
export function visibleServers({ privileges, groups }: Limits): SearchNode | undefined {
  const seesAll = isUnlimited(groups) || Object.hasOwn(privileges, "admin");
  return seesAll ? undefined : hasWord("groups", [...groups]);
}
