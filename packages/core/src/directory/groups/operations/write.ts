import * as z from "zod";
import { compileRegex } from "../../../expressions/index.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { deleteListed, insertListed, updateListed } from "../../../kernel/listed.ts";
import { defineCommand, privilege } from "../../../kernel/operation.ts";
import type { WriteTx } from "../../../ports/storage.ts";
import { Id } from "../../../wire/fields.ts";
import { Done } from "../../../wire/lists.ts";
import { mergeSparse, updateRecord } from "../../../wire/stamps.ts";
import { requireAccess } from "../../access/require-access.ts";
import { nextSortOrder } from "../../categories/rules.ts";
import { groupCollection } from "../collection.ts";
import { Group } from "../model.ts";
import { groupInputs, newGroup } from "../rules/inputs.ts";
import { REGROUP_KIND } from "../rules/work.ts";
import { requireDrawn } from "./drawn-servers.ts";

const listed = { collection: groupCollection, code: "group", thing: "group" } as const;

/** Part of the shape: a bad pattern is told before the caller is looked at. */
const inputs = groupInputs((pattern) => {
  try {
    compileRegex(pattern);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DomainError("group", "malformed", `Invalid hostname match: ${reason}`, { cause: error });
  }
});

/** Stored automatic servers follow in the background; one waiting item is enough for any number of changes. */
const regroupStored = (tx: WriteTx): Promise<void> => tx.enqueue(REGROUP_KIND, {}, { key: "all" });

export const createGroup = defineCommand({
  name: "create_group",
  method: "POST",
  summary: "Create a server group; servers whose hostname it matches join it.",
  access: privilege("create_groups"),
  input: inputs.create,
  output: z.object({ group: Group }),
  async handler(input, { actor, audit, emit, ids, now, services, tx }) {
    const id = input.id ?? ids.short("g");
    requireAccess(actor, { group: id });
    await requireDrawn({ actor, services, tx }, { ...input, id });
    await services.references.check({ actor, tx }, groupCollection, { ...input, id });
    await services.eventChecks.checkActions(tx, input.alert_actions);
    // Two creations at once must not get the same order.
    await tx.lock("groups:sort_order");
    const sortOrder = nextSortOrder(await tx.collection(groupCollection).list());
    const group = newGroup(input, { id, username: actor.id, now, sortOrder });
    await insertListed(tx, listed, group);
    await regroupStored(tx);
    audit("group_create", { group });
    emit("group.changed", { id });
    return { group };
  },
});

export const updateGroup = defineCommand({
  name: "update_group",
  method: "POST",
  summary: "Change a server group; members not sent stay as they are. Servers follow a changed pattern.",
  access: privilege("edit_groups"),
  input: inputs.update,
  output: z.object({ group: Group }),
  async handler(input, { actor, audit, emit, now, services, tx }) {
    requireAccess(actor, { group: input.id });
    await requireDrawn({ actor, services, tx }, input);
    await services.references.check({ actor, tx }, groupCollection, input);
    await services.eventChecks.checkActions(tx, input.alert_actions);
    const group = await updateListed(tx, listed, input, (stored) => updateRecord(stored, input, now));
    await regroupStored(tx);
    audit("group_update", { group });
    emit("group.changed", { id: group.id });
    return { group };
  },
});

export const deleteGroup = defineCommand({
  name: "delete_group",
  method: "POST",
  summary: "Remove a server group; references to it stay and match nothing. Its servers are grouped anew.",
  access: privilege("delete_groups"),
  input: z.looseObject({ id: Id }),
  output: Done,
  async handler({ id }, { actor, audit, emit, services, tx }) {
    requireAccess(actor, { group: id });
    const group = await deleteListed(tx, listed, id);
    await services.state.set(tx, `watches.groups.${id}`, undefined);
    await regroupStored(tx);
    audit("group_delete", { group });
    emit("group.changed", { id });
    return {};
  },
});

export const multiUpdateGroup = defineCommand({
  name: "multi_update_group",
  method: "POST",
  summary: "Change several server groups at once, without stamps; meant for reordering. Unknown ids are skipped.",
  access: privilege("edit_groups"),
  input: inputs.multiUpdate,
  output: Done,
  async handler({ items }, { actor, audit, emit, services, tx }) {
    requireAccess(actor, { group: "*" });
    for (const item of items) {
      await services.references.check({ actor, tx }, groupCollection, item);
      await services.eventChecks.checkActions(tx, item.alert_actions);
    }
    const groups = tx.collection(groupCollection);
    for (const item of items) {
      if (!(await groups.get(item.id))) continue;
      await updateListed(tx, listed, item, (stored) => mergeSparse(stored, item));
      emit("group.changed", { id: item.id });
    }
    if (items.some((item) => item.hostname_match !== undefined)) await regroupStored(tx);
    const updated = Object.keys(items[0] ?? {}).filter((member) => member !== "id");
    audit("group_multi_update", { description: "", updated });
    return {};
  },
});
