import type { AccessRequest } from "./access.ts";
import { effectivePrivileges, gives } from "./access.ts";

/** What a role gives to its holders. */
export interface Grant {
  /** Absent or null = enabled. */
  readonly enabled?: unknown;
  readonly privileges: Readonly<Record<string, unknown>>;
  readonly categories: readonly string[];
  readonly groups: readonly string[];
}

export interface GrantChange {
  /** Absent for a new role. */
  readonly before?: Grant | undefined;
  /** Absent for a role that is removed. */
  readonly after?: Grant | undefined;
  /** Members that the writer sends. */
  readonly sent: ReadonlySet<string>;
}

const LISTS = [
  ["categories", "category"],
  ["groups", "group"],
] as const;

/**
 * Returns the rights that the writer of a role needs, in the order of the checks (docs/contract/privileges.md#granting). Writers
 * grant only privileges, categories and groups that they have. Only administrators may change a role that makes administrators. A
 * restricted writer may not lift a restriction of others.
 */
export function grantRequests({ before, after, sent }: GrantChange): AccessRequest[] {
  if (givesAdmin(before) || givesAdmin(after)) return [{ privilege: "admin" }];
  // Switching a role on grants all rights that it held while it was off.
  const isNew = !isOn(before) && isOn(after);
  const handsOut = (member: string): boolean => isNew || sent.has(member);
  const privileges = after && handsOut("privileges") ? Object.keys(effectivePrivileges(after.privileges)) : [];
  return [
    ...privileges.map((privilege) => ({ privilege })),
    ...LISTS.flatMap(([member, kind]) =>
      listed(before, after, member, handsOut(member)).map((id): AccessRequest => ({ [kind]: id })),
    ),
  ];
}

function listed(
  before: Grant | undefined,
  after: Grant | undefined,
  member: "categories" | "groups",
  handsOut: boolean,
): readonly string[] {
  // The change lifts a restriction of the role's holders.
  if (restricts(before, member) && !restricts(after, member)) return ["*"];
  return after && handsOut ? after[member] : [];
}

const isOn = (grant: Grant | undefined): boolean => grant !== undefined && Boolean(grant.enabled ?? true);

const givesAdmin = (grant: Grant | undefined): boolean => grant !== undefined && gives(grant.privileges, "admin");

const restricts = (grant: Grant | undefined, member: "categories" | "groups"): boolean =>
  grant !== undefined && isOn(grant) && grant[member].length > 0 && !grant[member].includes("*");

/** Keeps only the truthy privileges. */
export function keepGranted(privileges: Readonly<Record<string, unknown>>): Record<string, true> {
  return Object.fromEntries(
    Object.entries(privileges)
      .filter(([, value]) => Boolean(value))
      .map(([id]) => [id, true as const]),
  );
}
