import { type EffectiveRights, effectivePrivileges, gives } from "./access.ts";

/** The part of an account, key or host user that its rights come from. */
export interface RightsRecord {
  readonly privileges?: Readonly<Record<string, unknown>> | undefined;
  readonly roles?: readonly string[] | null | undefined;
  readonly categories?: readonly string[] | null | undefined;
  readonly groups?: readonly string[] | null | undefined;
}

/** The part of a role that rights come from; `enabled` absent or null = enabled. */
export interface RightsRole {
  readonly id: string;
  readonly enabled?: unknown;
  readonly privileges?: Readonly<Record<string, unknown>> | undefined;
  readonly categories?: readonly string[] | null | undefined;
  readonly groups?: readonly string[] | null | undefined;
}

/**
 * Combines a record's own rights with the rights of its enabled roles (docs/contract/privileges.md#effective-rights). Privileges
 * add up. A list in any part restricts, and lists in several parts are united. Administrators have no restrictions. `roles` may
 * contain roles that the record does not name.
 */
export function rightsWithRoles(record: RightsRecord, roles: readonly RightsRole[]): EffectiveRights {
  const named = new Set(record.roles);
  const parts = [record, ...roles.filter((role) => named.has(role.id) && isEnabled(role))];
  const privileges: Record<string, true> = {};
  for (const part of parts) Object.assign(privileges, effectivePrivileges(part.privileges ?? {}));
  if (Object.hasOwn(privileges, "admin")) return { privileges, categories: [], groups: [] };
  return {
    privileges,
    categories: union(parts.map(({ categories }) => categories)),
    groups: union(parts.map(({ groups }) => groups)),
  };
}

/** True when the record, or an enabled role that it names, gives `admin`. Combines no other rights, as it is asked of all accounts. */
export const isAdministrator = (record: RightsRecord, roles: readonly RightsRole[]): boolean =>
  givesAdmin(record) || administratorRoles(roles).some(({ id }) => record.roles?.includes(id));

/** The roles that make administrators of their holders. */
export const administratorRoles = (roles: readonly RightsRole[]): readonly RightsRole[] =>
  roles.filter((role) => isEnabled(role) && givesAdmin(role));

const givesAdmin = ({ privileges }: RightsRecord): boolean => gives(privileges ?? {}, "admin");

const isEnabled = ({ enabled }: RightsRole): boolean => Boolean(enabled ?? true);

function union(lists: readonly (readonly string[] | null | undefined)[]): string[] {
  return [...new Set(lists.flatMap((list) => list ?? []))];
}
