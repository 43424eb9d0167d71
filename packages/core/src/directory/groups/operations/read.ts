import * as z from "zod";
import { findListed } from "../../../kernel/listed.ts";
import { credentials, defineQuery } from "../../../kernel/operation.ts";
import { andThen } from "../../../lib/awaitable.ts";
import { Id } from "../../../wire/fields.ts";
import { asList, listOf, NoParameters } from "../../../wire/lists.ts";
import { mayAccess, requireAccess } from "../../access/require-access.ts";
import { groupCollection } from "../collection.ts";
import { Group } from "../model.ts";

export const getGroups = defineQuery({
  name: "get_groups",
  method: "GET",
  summary: "List the server groups the caller may see.",
  access: credentials,
  input: NoParameters,
  output: listOf(Group),
  handler: (_input, { actor, definitions }) =>
    andThen(definitions.all(groupCollection), (groups) =>
      asList(groups.filter(({ id }) => mayAccess(actor, { group: id }))),
    ),
});

export const getGroup = defineQuery({
  name: "get_group",
  method: "ANY",
  summary: "Read one server group.",
  access: credentials,
  input: z.looseObject({ id: Id }),
  output: z.object({ group: Group }),
  handler({ id }, { actor, definitions }) {
    requireAccess(actor, { group: id });
    const listed = { collection: groupCollection, thing: "group" };
    return andThen(findListed(definitions, listed, id), (group) => ({ group }));
  },
});
