import * as z from "zod";
import { NotFoundError } from "../../../kernel/errors.ts";
import { credentials, defineQuery } from "../../../kernel/operation.ts";
import { Id } from "../../../wire/fields.ts";
import { asList, listOf, NoParameters } from "../../../wire/lists.ts";
import { mayAccess, requireAccess } from "../../auth/require-access.ts";
import { groupCollection } from "../collection.ts";
import { Group } from "../model.ts";

export const getGroups = defineQuery({
  name: "get_groups",
  method: "GET",
  summary: "List the server groups the caller may see.",
  access: credentials,
  input: NoParameters,
  output: listOf(Group),
  async handler(_input, { actor, tx }) {
    const groups = await tx.collection(groupCollection).list();
    return asList(groups.filter(({ id }) => mayAccess(actor, { group: id })));
  },
});

export const getGroup = defineQuery({
  name: "get_group",
  method: "ANY",
  summary: "Read one server group.",
  access: credentials,
  input: z.looseObject({ id: Id }),
  output: z.object({ group: Group }),
  async handler({ id }, { actor, tx }) {
    requireAccess(actor, { group: id });
    const group = await tx.collection(groupCollection).get(id);
    if (!group) throw new NotFoundError(`Failed to locate group: ${id}`);
    return { group };
  },
});
