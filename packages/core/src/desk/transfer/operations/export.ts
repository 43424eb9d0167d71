import * as z from "zod";
import { mayAccess, requireAccess } from "../../../directory/access/require-access.ts";
import type { Actor, StreamContext } from "../../../kernel/calls/context.ts";
import { defineStream, type StreamResult, tokenBefore } from "../../../kernel/calls/operation.ts";
import { AccessError } from "../../../kernel/errors/errors.ts";
import { filePrefix } from "../../../lib/files/file-prefix.ts";
import { createDays } from "../../../lib/time/days.ts";
import { looseObject } from "../../../wire/schemas/objects.ts";
import { denied } from "../faults.ts";
import { ExportOrder } from "../model.ts";
import { readOrder } from "../order.ts";

/** A backup as one file, sent while it is being read (docs/contract/transfer.md#export). */
export const adminExportData = defineStream({
  name: "admin_export_data",
  method: "ANY",
  summary: "Download definitions, rows and files as one compressed backup; for callers without limits.",
  access: tokenBefore("token"),
  refuses: ["admin"],
  input: looseObject(() => ({
    ...ExportOrder.shape,
    token: z
      .string()
      .optional()
      .describe("Of `get_transfer_token`; other parameters and credentials do not count then."),
  })),
  async handler(input, context): Promise<StreamResult> {
    const { config, ids, now, services, signal } = context;
    const { actor, order } = input.token ? await redeem(context, input.token) : { actor: context.actor, order: input };
    requireAccess(actor, { privilege: "bulk_export" }, services.lists.privileges);
    if (!mayAccess(actor, { category: "*", group: "*" }))
      throw new AccessError("You do not have the required account privileges to use this API.");
    const items = readOrder(order, services.transfer.maps);
    const name = `${filePrefix(config.client.name)}-data-export-${createDays(config)(now)}-${ids.short("x")}.txt.gz`;
    const body = services.transfer.export({ items, username: actor.id, signal });
    return {
      contentType: "application/gzip",
      headers: { "Content-Disposition": `attachment; filename="${name}"`, "Cache-Control": "no-store" },
      body,
    };
  },
});

/** The token's caller with present rights, and the order. Throws `DomainError` for a malformed or expired token. */
async function redeem(
  { services }: StreamContext,
  token: string,
): Promise<{ readonly actor: Actor; readonly order: ExportOrder }> {
  const taken = await services.transfer.redeem(token);
  const actor = taken && services.identities.follow(taken.caller)();
  if (!actor) throw denied();
  return { actor, order: taken.order };
}
