import * as z from "zod";
import { admin, defineCommand } from "../../../kernel/calls/operation.ts";
import { looseObject, object } from "../../../wire/schemas/objects.ts";
import { shown } from "../../../wire/schemas/shown-members.ts";
import { nothingToDelete } from "../faults.ts";
import { readItems } from "../order.ts";
import { TransferItems } from "../rules/items.ts";

export const adminDeleteData = defineCommand({
  name: "admin_delete_data",
  summary: "Delete lists, rows and files of the whole installation in the background; the scheduler is switched off.",
  access: admin,
  refuses: ["admin"],
  input: looseObject(() => ({ items: shown(TransferItems.describe("As of an export; keys of lists are complete.")) })),
  output: object(() => ({ id: z.string() })),
  async handler({ items: sent }, { actor, audit, emit, services, tx }) {
    const items = readItems(sent ?? [], services.transfer.maps, nothingToDelete);
    return services.transfer.delete({ audit, emit, tx }, { items, username: actor.id });
  },
});
