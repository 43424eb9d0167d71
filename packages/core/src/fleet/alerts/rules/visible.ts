import { type Caller, isLimited, mayAccess } from "../../../directory/access/require-access.ts";
import { anyOf, hasWord, type SearchNode } from "../../../search/ast.ts";
import { type Invocation, stateKey } from "../model.ts";
import { placeOf } from "./definition/subjects.ts";

const isOther = hasWord("other", "yes");

/**
 * Search condition for the firings, and notices about them, that a caller may see: on servers by group, on other
 * subjects by category, in the field `categories`. Undefined = all of them.
 */
export function visibleFirings(caller: Caller, categories: string): SearchNode | undefined {
  if (!isLimited(caller)) return undefined;
  const servers: SearchNode = mayAccess(caller, { group: "*" })
    ? { kind: "not", node: isOther }
    : hasWord("groups", caller.groups);
  const others = mayAccess(caller, { category: "*" }) ? isOther : hasWord(categories, caller.categories);
  return anyOf([servers, others]);
}

/** Live firings by the key that clients use, made of subject and alert: there is at most one firing for both. */
export const byPlaceAndAlert = (live: readonly Invocation[]): Readonly<Record<string, Invocation>> =>
  Object.fromEntries(live.map((firing) => [stateKey(placeOf(firing), firing.alert), firing]));
