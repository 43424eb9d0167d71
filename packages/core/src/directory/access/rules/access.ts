export interface EffectiveRights {
  /** Contains only truthy privileges. */
  readonly privileges: Readonly<Record<string, true>>;
  /** Allowed category ids; empty = all. */
  readonly categories: readonly string[];
  /** Allowed group ids; empty = all. */
  readonly groups: readonly string[];
}

/** The rights of a caller that a decision needs. */
export interface Rights extends EffectiveRights {
  readonly known: boolean;
}

/** What a caller asks to access; `undefined` members are not checked. */
export interface AccessRequest {
  /** Privilege id; absent = any known caller. */
  readonly privilege?: string;
  /** Category of the object; "*" = all of them (docs/contract/privileges.md#restrictions). */
  readonly category?: string;
  /** Group id; "*" = all of them. */
  readonly group?: string;
  /** Target list of an event or job: passes when empty or when it names an allowed group. */
  readonly targets?: readonly string[];
  /** Groups of the server that a job ran on: an allowed group among them passes even if no target is allowed. */
  readonly ranOn?: readonly string[];
  /** Groups of a server: passes when one of them is allowed. Limited callers do not see a server without groups. */
  readonly serverGroups?: readonly string[];
}

export type Decision =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly reason: "session" | "privilege" | "category" | "group" | "targets" | "server" };

const ALLOWED: Decision = { allowed: true };
const refuse = (reason: (Decision & { allowed: false })["reason"]): Decision => ({ allowed: false, reason });

/**
 * Decides about every request; no other place does (docs/contract/privileges.md#effective-rights,
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

const holds = ({ privileges }: Rights, id: string): boolean => gives(privileges, id);

/** Reads only own properties, so that no privilege is inherited from the prototype of a record. */
export const gives = (privileges: Readonly<Record<string, unknown>>, id: string): boolean =>
  Object.hasOwn(privileges, id) && Boolean(privileges[id]);

/** True when a list of categories or groups restricts nothing. */
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

/** Keeps only truthy privileges, so that a falsy value in one part never removes a right that another part grants. */
export function effectivePrivileges(own: Readonly<Record<string, unknown>>): Record<string, true> {
  const effective: Record<string, true> = {};
  for (const [id, value] of Object.entries(own)) if (value) effective[id] = true;
  return effective;
}
