import * as z from "zod";
import { discardIfRefused } from "../../../../directory/files/discard-if-refused.ts";
import type { PrepareContext } from "../../../../kernel/calls/context.ts";
import { defineCommand, privilege } from "../../../../kernel/calls/operation.ts";
import { DomainError, InputError } from "../../../../kernel/errors/errors.ts";
import { optionalFlag, WordId } from "../../../../wire/fields/fields.ts";
import { looseObject, object } from "../../../../wire/schemas/objects.ts";
import { mayOwnFiles } from "../../links/rules/file-path.ts";
import { TicketFile } from "../../model.ts";
import { stubOf } from "../../rules/record.ts";
import { authorOf, requireTicket } from "../inputs.ts";

const UploadInput = looseObject(() => ({
  ticket: WordId.describe("Id of the ticket; without `save` there need not be one yet."),
  save: optionalFlag().describe("Attach the files; otherwise they are kept for links in texts."),
}));
type UploadInput = z.output<typeof UploadInput>;

/** The contract prescribes the code of jobs here (docs/contract/tickets.md#operations). */
export const noSuchTicket = (id: string): DomainError =>
  new DomainError("job", "unknown", `Failed to update ticket: ${id}: Error: Item not found`);

export const uploadUserTicketFiles = defineCommand({
  name: "upload_user_ticket_files",
  files: true,
  summary:
    "Store files for a ticket, and attach them when `save` is set; the answer then lists all files of the ticket.",
  access: privilege("edit_tickets"),
  refuses: ["file", "job", "ticket"],
  input: UploadInput,
  output: object(() => ({ files: z.array(TicketFile) })),
  // The store may be slow, and no transaction may wait for it.
  prepare: (input, context) => keepFiles(input, context),
  async handler({ ticket: id, save }, context) {
    const { actor, audit, prepared: files, services } = context;
    const { tickets, ticketFiles } = services;
    try {
      const stored = await tickets.lock(context, id);
      if (stored) requireTicket(actor, stored);
      if (!save) {
        if (stored) audit("ticket_update", { ticket: stubOf(stored), files });
        return { files };
      }
      if (!stored) throw noSuchTicket(id);
      const all = [...ticketFiles.living(stored.files ?? []), ...files];
      // Other calls may have attached files while these were being stored.
      ticketFiles.checkCount(all.length);
      const ticket = await tickets.setFiles(context, id, () => all, authorOf(actor));
      return { files: ticket.files ?? [] };
    } catch (error) {
      discardIfRefused(error, () => ticketFiles.discard(files));
      throw error;
    }
  },
});

/** Stores the files of a call, after every check that can refuse it. */
async function keepFiles({ ticket: id, save = false }: UploadInput, context: PrepareContext): Promise<TicketFile[]> {
  const { actor, log, read, services, uploads } = context;
  const { tickets, ticketFiles } = services;
  const stored = await read((tx) => tickets.load({ tx }, id));
  if (stored) requireTicket(actor, stored);
  if (!mayOwnFiles(id)) throw new InputError("Malformed parameter: ticket");
  if (uploads.length === 0) throw new DomainError("file", "malformed", "No file upload data found in request.");
  if (save && !stored) throw noSuchTicket(id);
  const attached = ticketFiles.living(stored?.files ?? []).length;
  ticketFiles.check(uploads, save ? attached : Math.max(attached, await ticketFiles.countStored(id)));
  try {
    return await ticketFiles.keep(uploads, { ticket: id, username: actor.id, attached: save });
  } catch (error) {
    log.error({ ticket: id, error }, "Files of a ticket could not be stored");
    const description = "Failed to process uploaded files: they could not be stored";
    throw new DomainError("file", "failed", description, { cause: error });
  }
}
