import * as z from "zod";
import type { Cradle } from "../../../kernel/container.ts";
import type { WorkHandler } from "../../../kernel/plugin.ts";
import type { Mail } from "../../../ports/mailer.ts";
import { object } from "../../../wire/objects.ts";
import { ticketRecords } from "../../tickets/records.ts";
import { ticketMailCollection } from "../collection.ts";
import { batchMail, serversOf } from "./ticket-letters.ts";
import { lockOf } from "./ticket-mails.ts";

const Payload = object(() => ({ ticket: z.string() }));

/**
 * Worker of batches that are due: the mail takes the place of the batch in one transaction. Later notes go into another
 * mail under another id, and a crash loses neither.
 */
export const makeTicketMail: WorkHandler = async ({ payload }, cradle) => {
  const { ticket: id } = Payload.parse(payload);
  await cradle.transact(async ({ tx }) => {
    await tx.lock(lockOf(id));
    const batches = tx.collection(ticketMailCollection);
    const batch = await batches.get(id);
    // A change after this item was claimed brought another one, for later.
    if (!batch || batch.due > cradle.clock.now()) return;
    await batches.delete(id);
    const ticket = await tx.collection(ticketRecords).get(id);
    if (!ticket || ticket.status === "draft" || !cradle.config.tickets.email_enabled) return;
    const servers = await serversOf(tx, [ticket], batch.entries);
    const mail = madeMail(cradle, id, () => batchMail(cradle, batch, { ticket, servers }));
    if (mail) await cradle.outbox.post(tx, mail, { ticket: id });
  });
};

/** A mail that cannot be made, by a template of the host or for too many recipients, would fail again and again. */
export function madeMail({ log }: Pick<Cradle, "log">, ticket: string, make: () => Mail | undefined): Mail | undefined {
  try {
    return make();
  } catch (error) {
    log.error({ ticket, error }, "The mail about a ticket could not be made");
    return undefined;
  }
}
