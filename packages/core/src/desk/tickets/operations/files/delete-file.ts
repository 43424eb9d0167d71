import * as z from "zod";
import { shownPath } from "../../../../directory/files/rules/paths.ts";
import { defineCommand, privilege } from "../../../../kernel/calls/operation.ts";
import { DomainError } from "../../../../kernel/errors/errors.ts";
import { Id } from "../../../../wire/fields/fields.ts";
import { looseObject, object } from "../../../../wire/schemas/objects.ts";
import { REMOVE_KIND } from "../../links/files.ts";
import { TicketFile } from "../../model.ts";
import { authorOf, requireTicket } from "../inputs.ts";
import { noSuchTicket } from "./upload-files.ts";

export const deleteTicketFile = defineCommand({
  name: "delete_ticket_file",
  summary: "Remove a file from a ticket and from the store; the answer lists the remaining files.",
  access: privilege("edit_tickets"),
  refuses: ["job", "ticket"],
  input: looseObject(() => ({ id: Id, path: z.string().regex(/^\S+$/) })),
  output: object(() => ({ files: z.array(TicketFile) })),
  async handler({ id, path }, context) {
    const { actor, services, tx } = context;
    const stored = await services.tickets.lock(context, id);
    if (!stored) throw noSuchTicket(id);
    requireTicket(actor, stored);
    if (!stored.files?.some((file) => file.path === path))
      throw new DomainError("ticket", "unknown", `Ticket file not found: ${shownPath(path)}`);
    const others = (
      await services.tickets.setFiles(
        context,
        id,
        (files) => files.filter((file) => file.path !== path),
        authorOf(actor),
      )
    ).files;
    // Queued with the change, so that the file is removed even if the process ends right after it.
    await tx.enqueue(REMOVE_KIND, { ticket: id, paths: [path] }, { key: path });
    return { files: others ?? [] };
  },
});
