export interface EffectiveRights {
  /** Truthy ones only. */
  readonly privileges: Readonly<Record<string, true>>;
  /** Allowed category ids; empty = all. */
  readonly categories: readonly string[];
  /** Allowed group ids; empty = all. */
  readonly groups: readonly string[];
}

/** The rights of a caller, as far as a decision needs them. */
export interface Rights extends EffectiveRights {
  readonly known: boolean;
}

/** The reach that is asked for; `undefined` members are not checked. */
export interface AccessRequest {
  /** Privilege id; absent = any known caller. */
  readonly privilege?: string;
  /** Category of the object; "*" = all of them (docs/contract/privileges.md#restrictions). */
  readonly category?: string;
  /** Group id; "*" = all of them. */
  readonly group?: string;
  /** Target list of an event or job: passes when empty or when it names an allowed group. */
  readonly targets?: readonly string[];
  /** Groups of the server that a job ran on: one that is allowed stands in for the targets. */
  readonly ranOn?: readonly string[];
  /**
   * Groups of a server: passes when one of them is allowed. A server without groups is invisible to limited callers.
   */
  readonly serverGroups?: readonly string[];
}

export type Decision =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly reason: "session" | "privilege" | "category" | "group" | "targets" | "server" };

const ALLOWED: Decision = { allowed: true };
const refuse = (reason: (Decision & { allowed: false })["reason"]): Decision => ({ allowed: false, reason });

/**
 * The one place that decides (docs/contract/privileges.md#effective-rights,
 * docs/contract/privileges.md#who-may-do-what). Known administrators pass every request.
 */
export function decide(rights: Rights, request: AccessRequest): Decision {
  if (!rights.known) return refuse("session");
  if (holds(rights, "admin")) return ALLOWED;
  if (request.privilege !== undefined && !holds(rights, request.privilege)) return refuse("privilege");
  if (request.category !== undefined && !allows(rights.categories, request.category)) return refuse("category");
  if (request.group !== undefined && !allows(rights.groups, request.group)) return refuse("group");
  if (request.targets && !sharesTarget(rights.groups, request)) return refuse("targets");
  if (request.serverGroups && !shares(rights.groups, request.serverGroups)) return refuse("server");
  return ALLOWED;
}

/** Own members only: no privilege may be inherited from the prototype of a record. */
const holds = ({ privileges }: Rights, id: string): boolean => Object.hasOwn(privileges, id) && Boolean(privileges[id]);

/** Whether a list of categories or groups limits nothing. */
export const isUnlimited = (list: readonly string[]): boolean => list.length === 0 || list.includes("*");

function allows(list: readonly string[], id: string): boolean {
  return isUnlimited(list) || (id !== "*" && list.includes(id));
}

function sharesTarget(groups: readonly string[], { targets = [], ranOn = [] }: AccessRequest): boolean {
  return targets.length === 0 || shares(groups, targets) || shares(groups, ranOn);
}

function shares(groups: readonly string[], ids: readonly string[]): boolean {
  return isUnlimited(groups) || ids.some((id) => groups.includes(id));
}

/** Truthy privileges only, so that a falsy value never takes a right away. */
export function effectivePrivileges(own: Readonly<Record<string, unknown>>): Record<string, true> {
  const effective: Record<string, true> = {};
  for (const [id, value] of Object.entries(own)) if (value) effective[id] = true;
  return effective;
}
