import type { Actor, HostUser } from "../../../kernel/calls/context.ts";
import type { Definitions } from "../../../kernel/definitions/definitions.ts";
import { InputError } from "../../../kernel/errors/errors.ts";
import { type RightsRecord, rightsWithRoles } from "../../access/rules/effective.ts";
import type { ApiKey } from "../../api-keys/model.ts";
import { roleRecords } from "../../roles/records.ts";
import type { User } from "../../users/model.ts";

/**
 * Makes actors of users, keys and users of the host, with the rights of their roles
 * (docs/contract/privileges.md#effective-rights).
 */
export interface Actors {
  ofKey(record: ApiKey): Actor;
  ofUser(record: User): Actor;
  /** Throws `InputError` for an id that records and logs cannot contain, and for rights that are no lists. */
  ofHost(user: HostUser): Actor;
}

interface Known {
  readonly roles: number;
  readonly actor: Actor;
}

export function createActors(definitions: Definitions): Actors {
  // Records are frozen, and changes replace them. So an actor stays valid until its record or any role changes.
  const known = new WeakMap<object, Known>();
  const cached = (record: object, make: () => Actor): Actor => {
    const roles = definitions.revision(roleRecords);
    const before = known.get(record);
    if (before?.roles === roles) return before.actor;
    const actor = make();
    known.set(record, { roles, actor });
    return actor;
  };
  const rightsOf = (record: RightsRecord) => rightsWithRoles(record, definitions.all(roleRecords));
  return {
    ofKey: (record) => cached(record, () => ({ kind: "key", id: record.id, title: record.title, ...rightsOf(record) })),
    ofUser: (record) =>
      cached(record, () => ({
        kind: "user",
        id: record.username,
        title: record.full_name || record.username,
        ...rightsOf(record),
      })),
    ofHost: ({ id, name, privileges, roles, categories, groups }) => {
      if (typeof id !== "string" || !/^[\w\-.@]{1,128}$/.test(id)) throw new InputError("Malformed host user id");
      // A text as `roles` would count as the list of its letters.
      for (const [member, list] of Object.entries({ privileges, roles, categories, groups }))
        if (list != null && !Array.isArray(list)) throw new InputError(`Malformed host user: ${member} is no list`);
      const own = Object.fromEntries((privileges ?? []).map((privilege) => [privilege, true]));
      return { kind: "host", id, title: name || id, ...rightsOf({ privileges: own, roles, categories, groups }) };
    },
  };
}
