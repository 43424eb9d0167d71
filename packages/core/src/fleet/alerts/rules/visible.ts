import { type Caller, isLimited, mayAccess } from "../../../directory/access/require-access.ts";
import type { SearchNode } from "../../../search/ast.ts";

const term = (field: string, words: readonly string[]): SearchNode => ({ kind: "term", field, words });
const isOther = term("other", ["yes"]);

/**
 * Search condition for the firings, and notices about them, that a caller may see: on servers by their groups, on other
 * subjects by their categories, in the field that is named; undefined = all of them.
 */
export function visibleFirings(caller: Caller, categories: string): SearchNode | undefined {
  if (!isLimited(caller)) return undefined;
  const servers: SearchNode = mayAccess(caller, { group: "*" })
    ? { kind: "not", node: isOther }
    : term("groups", caller.groups);
  const others = mayAccess(caller, { category: "*" }) ? isOther : term(categories, caller.categories);
  return { kind: "or", nodes: [servers, others] };
}
