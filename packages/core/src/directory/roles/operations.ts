import type { CommandContext } from "../../kernel/calls/context.ts";
import { defineCommand, privilege } from "../../kernel/calls/operation.ts";
import { deleteListed, updateListed } from "../../kernel/definitions/listed.ts";
import { ListedOperations } from "../../kernel/definitions/listed-operations.ts";
import { Id, WordId } from "../../wire/fields/fields.ts";
import { Done } from "../../wire/schemas/lists.ts";
import { looseObject } from "../../wire/schemas/objects.ts";
import { requireAccess } from "../access/require-access.ts";
import { type GrantChange, grantRequests } from "../access/rules/granting.ts";
import { roleCollection } from "./collection.ts";
import { CreateRole, Role, UpdateRole } from "./model.ts";
import { changeRole, newRole } from "./rules.ts";

const listed = { collection: roleCollection, code: "role", thing: "role" } as const;

const roles = new ListedOperations({
  collection: roleCollection,
  record: Role,
  name: "role",
  plural: "roles",
  prefix: "r",
});

export const getRoles = roles.list({ summary: "List all roles." });

export const getRole = roles.get({ summary: "Read one role.", id: WordId });

export const createRole = roles.create({
  summary: "Create a role; the id is generated when absent. It may give no more than its writer has.",
  input: CreateRole,
  together: true,
  draft(input, stamp, context) {
    const role = newRole(input, stamp);
    requireGrants(context, { after: role, sent: new Set(Object.keys(input)) });
    return role;
  },
});

export const updateRole = defineCommand({
  name: "update_role",
  summary: "Change a role; privileges and lists are replaced whole. Holders have other rights with their next request.",
  access: privilege("edit_roles"),
  refuses: ["role"],
  input: UpdateRole,
  output: Done,
  async handler(input, context) {
    const { audit, emit, now, services, tx } = context;
    const before = await tx.collection(roleCollection).get(input.id);
    if (before) {
      const after = changeRole(before, input, now);
      requireGrants(context, { before, after, sent: new Set(Object.keys(input)) });
    }
    const role = await services.roleHolders.keepAdministrator(tx, () =>
      updateListed(tx, listed, input, (stored) => changeRole(stored, input, now)),
    );
    audit("role_update", { role });
    emit("role.updated", { id: role.id });
    return {};
  },
});

export const deleteRole = defineCommand({
  name: "delete_role",
  summary: "Remove a role and take it from its holders.",
  access: privilege("delete_roles"),
  refuses: ["role"],
  input: looseObject(() => ({ id: Id })),
  output: Done,
  async handler({ id }, context) {
    const { audit, emit, services, tx } = context;
    requireGrants(context, { before: await tx.collection(roleCollection).get(id), sent: new Set() });
    const role = await services.roleHolders.keepAdministrator(tx, async () => {
      const removed = await deleteListed(tx, listed, id);
      await services.roleHolders.take(tx, id);
      return removed;
    });
    audit("role_delete", { role });
    emit("role.deleted", { id });
    return {};
  },
});

/** Throws `AccessError` when the caller would grant or lift more than the caller has (docs/contract/privileges.md#granting). */
function requireGrants({ actor, services }: CommandContext, change: GrantChange): void {
  for (const request of grantRequests(change)) {
    // The gatekeeper knows the titles of all privileges.
    if (request.privilege !== undefined) services.gatekeeper.authorize(actor, privilege(request.privilege));
    else requireAccess(actor, request);
  }
}
