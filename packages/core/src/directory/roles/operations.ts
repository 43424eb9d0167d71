import * as z from "zod";
import type { CommandContext } from "../../kernel/context.ts";
import { deleteListed, findListed, insertListed, updateListed } from "../../kernel/listed.ts";
import { credentials, defineCommand, defineQuery, privilege } from "../../kernel/operation.ts";
import { andThen } from "../../lib/awaitable.ts";
import { Id, WordId } from "../../wire/fields.ts";
import { asList, Done, listOf, NoParameters } from "../../wire/lists.ts";
import { requireAccess } from "../access/require-access.ts";
import { type GrantChange, grantRequests } from "../access/rules/granting.ts";
import { roleCollection } from "./collection.ts";
import { CreateRole, Role, UpdateRole } from "./model.ts";
import { changeRole, newRole } from "./rules.ts";

const listed = { collection: roleCollection, code: "role", thing: "role" } as const;

export const getRoles = defineQuery({
  name: "get_roles",
  method: "GET",
  summary: "List all roles.",
  access: credentials,
  input: NoParameters,
  output: listOf(Role),
  handler: (_input, { definitions }) => andThen(definitions.all(roleCollection), asList),
});

export const getRole = defineQuery({
  name: "get_role",
  method: "GET",
  summary: "Read one role.",
  access: credentials,
  input: z.looseObject({ id: WordId }),
  output: z.object({ role: Role }),
  handler: ({ id }, { definitions }) => andThen(findListed(definitions, listed, id), (role) => ({ role })),
});

export const createRole = defineCommand({
  name: "create_role",
  method: "POST",
  summary: "Create a role; the id is generated when absent. It may give no more than its writer has.",
  access: privilege("create_roles"),
  input: CreateRole,
  output: z.object({ role: Role }),
  together: true,
  async handler(input, context) {
    const { actor, audit, emit, ids, now, tx } = context;
    const role = newRole(input, { id: input.id ?? ids.short("r"), username: actor.id, now });
    requireGrants(context, { after: role, sent: new Set(Object.keys(input)) });
    await insertListed(tx, listed, role);
    audit("role_create", { role });
    emit("role.created", { id: role.id });
    return { role };
  },
});

export const updateRole = defineCommand({
  name: "update_role",
  method: "POST",
  summary: "Change a role; privileges and lists are replaced whole. Holders have other rights with their next request.",
  access: privilege("edit_roles"),
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
  method: "POST",
  summary: "Remove a role and take it from its holders.",
  access: privilege("delete_roles"),
  input: z.looseObject({ id: Id }),
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

/**
 * Throws `AccessError` when the caller would give or open more than is the caller's own
 * (docs/contract/privileges.md#granting).
 */
function requireGrants({ actor, services }: CommandContext, change: GrantChange): void {
  for (const request of grantRequests(change)) {
    // Through the gatekeeper, which knows the titles of all privileges.
    if (request.privilege !== undefined) services.gatekeeper.authorize(actor, privilege(request.privilege));
    else requireAccess(actor, request);
  }
}
