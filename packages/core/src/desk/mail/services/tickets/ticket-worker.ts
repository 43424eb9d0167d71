import * as z from "zod";
import type { Cradle } from "../../../../kernel/container.ts";
import type { WorkHandler } from "../../../../kernel/plugins/plugin.ts";
import type { Mail } from "../../../../ports/outside/mailer.ts";
import type { ReadTx } from "../../../../ports/storage/storage.ts";
import { object } from "../../../../wire/schemas/objects.ts";
import { TicketChange } from "../../../tickets/model.ts";
import { ticketRecords } from "../../../tickets/records.ts";
import { ticketMailCollection } from "../../collection.ts";
import type { TicketMailBatch } from "../../model.ts";
import { isWaiting } from "../../rules/tickets/batch.ts";
import { sendAboutTicket } from "../outbox.ts";
import { batchMail, serversOf } from "./ticket-letters.ts";
import { enqueueBatch, lockOf } from "./ticket-mails.ts";

const Payload = object(() => ({ ticket: z.string() }));

/**
 * Worker of due batches. It replaces the batch with its mail in one transaction: later changes go into another mail with another
 * id, and a crash loses neither.
 */
export const makeTicketMail: WorkHandler = async ({ payload }, cradle) => {
  const { ticket: id } = Payload.parse(payload);
  await cradle.transact(async ({ tx }) => {
    await tx.lock(lockOf(id));
    const batches = tx.collection(ticketMailCollection);
    const batch = await batches.get(id);
    if (!batch) return;
    // Later changes have postponed it.
    if (isWaiting(batch, cradle.clock.now(), cradle.config.tickets.email_debounce_sec)) return enqueueBatch(tx, batch);
    await batches.delete(id);
    const mail = await mailOf(tx, batch, cradle);
    if (mail) await cradle.outbox.post(tx, mail, { ticket: id });
  });
};

const NewTicket = object(() => ({
  ticket: z.string(),
  key: z.string(),
  entries: z.array(TicketChange),
}));

/** Worker of new tickets, whose mails are not debounced. */
export const sendNewTicketMail: WorkHandler = async ({ payload, attempts }, cradle, signal) => {
  const { ticket: id, key, entries } = NewTicket.parse(payload);
  const mail = await cradle.snapshot((tx) => mailOf(tx, { id, key, entries, isNew: true }, cradle));
  if (mail) await sendAboutTicket(mail, id, cradle, { attempts, signal });
};

type Making = Pick<Cradle, "config" | "definitions" | "expressions" | "log" | "lookups">;
type Told = Pick<TicketMailBatch, "id" | "key" | "entries" | "isNew">;

/** The mail of a batch; undefined if there is nothing to send, or no longer. */
async function mailOf(tx: ReadTx, told: Told, deps: Making): Promise<Mail | undefined> {
  if (!deps.config.tickets.email_enabled) return undefined;
  const ticket = await tx.collection(ticketRecords).get(told.id);
  if (!ticket || ticket.status === "draft") return undefined;
  const servers = await serversOf(tx, [ticket], told.entries);
  return madeMail(deps, told.id, () => batchMail(deps, told, { ticket, servers }));
}

/**
 * Answers undefined if a mail cannot be composed, because of a template of the host or too many recipients: it would fail on each
 * retry.
 */
export function madeMail({ log }: Pick<Cradle, "log">, ticket: string, make: () => Mail | undefined): Mail | undefined {
  try {
    return make();
  } catch (error) {
    log.error({ ticket, error }, "The mail about a ticket could not be made");
    return undefined;
  }
}
