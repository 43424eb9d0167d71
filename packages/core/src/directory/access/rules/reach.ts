import type { Reach } from "../model.ts";
import { decide, type EffectiveRights, isUnlimited, type Rights } from "./access.ts";

const NOBODY: Rights = { known: true, privileges: {}, categories: [], groups: [] };

/** Restrictions of a caller; undefined when there are none, as for administrators. */
export function reachOf({ privileges, categories, groups }: EffectiveRights): Reach | undefined {
  if (privileges["admin"] || (isUnlimited(categories) && isUnlimited(groups))) return undefined;
  return { categories: [...categories], groups: [...groups] };
}

/** True when the server is within reach. Callers limited to some groups do not reach a server without groups. */
export const reachesServer = (reach: Reach | undefined, { groups }: { readonly groups: readonly string[] }): boolean =>
  !reach || decide({ ...NOBODY, ...reach }, { serverGroups: groups }).allowed;

export const reachesCategory = (reach: Reach | undefined, category: string): boolean =>
  !reach || decide({ ...NOBODY, ...reach }, { category }).allowed;
