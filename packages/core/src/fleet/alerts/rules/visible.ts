import { type Caller, isLimited, mayAccess } from "../../../directory/access/require-access.ts";
import type { SearchNode } from "../../../search/ast.ts";

const term = (field: string, words: readonly string[]): SearchNode => ({ kind: "term", field, words });
const isOther = term("other", ["yes"]);

/**
 * What a caller may find of firings and of notices about them, as a condition of its own: what is about servers by their
 * groups, what is about anything else by its categories, whose field is named; undefined = everything.
 */
export function visibleFirings(caller: Caller, categories: string): SearchNode | undefined {
  if (!isLimited(caller)) return undefined;
  const servers: SearchNode = mayAccess(caller, { group: "*" })
    ? { kind: "not", node: isOther }
    : term("groups", caller.groups);
  const others = mayAccess(caller, { category: "*" }) ? isOther : term(categories, caller.categories);
  return { kind: "or", nodes: [servers, others] };
}
