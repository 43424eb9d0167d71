import { type EffectiveRights, isUnlimited } from "../../../directory/access/rules/access.ts";
import { hasWord, type SearchNode } from "../../../search/ast.ts";

type Limits = Pick<EffectiveRights, "categories" | "privileges">;

/** Condition for the tickets that a caller may see (docs/contract/search.md#reach); undefined = everything. */
export function visibleTickets({ privileges, categories }: Limits): SearchNode | undefined {
  const seesAll = isUnlimited(categories) || Object.hasOwn(privileges, "admin");
  return seesAll ? undefined : hasWord("category", categories);
}
