import * as z from "zod";
import { admin, defineCommand } from "../../../kernel/calls/operation.ts";
import { object } from "../../../wire/schemas/objects.ts";
import { tokenCollection } from "../collection.ts";
import { ExportOrder } from "../model.ts";
import { readOrder } from "../order.ts";
import { tokenRecord } from "../rules/tokens.ts";

export const getTransferToken = defineCommand({
  name: "get_transfer_token",
  summary: "Get a token for one export within a minute; it authenticates the caller and contains the parameters.",
  access: admin,
  refuses: ["admin"],
  input: ExportOrder,
  output: object(() => ({ token: z.string() })),
  async handler({ lists, indexes, extras, items }, { actor, ids, now, services, tx }) {
    const order = { lists, indexes, extras, items };
    // Refuses an invalid order now rather than when the token is used.
    readOrder(order, services.transfer.maps);
    const token = ids.hex();
    await tx.collection(tokenCollection).insert(tokenRecord(token, { caller: actor, order, now }));
    return { token };
  },
});
