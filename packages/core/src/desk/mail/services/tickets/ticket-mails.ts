import type { Cradle } from "../../../../kernel/container.ts";
import type { Unit } from "../../../../kernel/transactions/unit-of-work.ts";
import type { WriteTx } from "../../../../ports/storage/storage.ts";
import type { Ticket, TicketChange } from "../../../tickets/model.ts";
import { ticketMailCollection } from "../../collection.ts";
import type { TicketMailBatch } from "../../model.ts";
import { addToBatch, type BatchAddition } from "../../rules/tickets/batch.ts";

/** Mails people about tickets, some seconds after the last of several changes (docs/contract/mail.md#mail-about-tickets). */
export interface TicketMails {
  /** Queues the mail about a new ticket in the transaction of its creation, unless it is a draft; `ticket` is the new record. */
  announce(
    unit: Pick<Unit, "tx">,
    ticket: Pick<Ticket, "id" | "status" | "assignees" | "cc" | "notify">,
    entries: readonly TicketChange[],
  ): Promise<void>;
  /**
   * Adds changes of a ticket to its batch, in their transaction; `ticket` is the stored record. For a draft it drops the batch
   * instead, so it must also be called for changes of drafts, even without entries.
   */
  note(
    unit: Pick<Unit, "tx">,
    ticket: Pick<Ticket, "id" | "status">,
    entries: readonly TicketChange[],
    options?: NoteOptions,
  ): Promise<void>;
  /** Drops the batch of a deleted ticket. */
  drop(unit: Pick<Unit, "tx">, ticketId: string): Promise<void>;
}

export interface NoteOptions {
  /** A draft was published and is mailed like a new ticket; entries with the key `created` have the same effect. */
  readonly published?: boolean;
}

/** Kind of the queued work that composes the mail of a batch. */
export const TICKET_MAIL_KIND = "mail.ticket";
/** Kind of the queued work that sends the mail of a new ticket. */
export const NEW_TICKET_MAIL_KIND = "mail.new_ticket";

type Deps = Pick<Cradle, "clock" | "config" | "ids" | "mailer">;

export function createTicketMails(deps: Deps): TicketMails {
  const { config, ids, mailer } = deps;
  const add = createAdd(deps);
  const drop: TicketMails["drop"] = async ({ tx }, ticketId) => {
    await tx.lock(lockOf(ticketId));
    await tx.collection(ticketMailCollection).delete(ticketId);
  };
  const isSilent = (): boolean => !config.tickets.email_enabled || mailer === undefined || config.email_from === "";
  return {
    drop,
    async announce({ tx }, ticket, entries) {
      // Skipped without recipients, since none can be added before the mail is sent.
      if (ticket.status === "draft" || isSilent() || !hasRecipients(ticket)) return;
      await tx.enqueue(NEW_TICKET_MAIL_KIND, { ticket: ticket.id, key: ids.token(), entries });
    },
    async note({ tx }, ticket, entries, { published = false } = {}) {
      if (ticket.status === "draft") return drop({ tx }, ticket.id);
      if (isSilent() || (entries.length === 0 && !published)) return;
      await add(tx, ticket.id, { entries, isNew: published });
    },
  };
}

type Add = (tx: WriteTx, id: string, addition: Pick<BatchAddition, "entries" | "isNew">) => Promise<void>;

function createAdd({ clock, config, ids }: Deps): Add {
  return async (tx, id, addition) => {
    await tx.lock(lockOf(id));
    const batches = tx.collection(ticketMailCollection);
    const now = clock.now();
    const stored = await batches.get(id);
    const fresh = (): TicketMailBatch => ({ id, key: ids.token(), entries: [], isNew: false, since: now, due: now });
    const debounceSec = config.tickets.email_debounce_sec;
    const batch = addToBatch(stored ?? fresh(), { ...addition, now, debounceSec });
    if (stored) await batches.update(id, () => batch);
    else await batches.insert(batch);
    // An item that runs too early requeues itself, so a new one is only needed for an earlier time, or in case an overdue one was
    // lost.
    if (!stored || batch.due < stored.due || stored.due <= now) await enqueueBatch(tx, batch);
  };
}

/** Queues the item of a batch; it replaces a waiting item for the same ticket. */
export const enqueueBatch = (tx: WriteTx, { id, due }: Pick<TicketMailBatch, "id" | "due">): Promise<void> =>
  tx.enqueue(TICKET_MAIL_KIND, { ticket: id }, { key: id, runAt: due });

const hasRecipients = ({ assignees, cc, notify }: Pick<Ticket, "assignees" | "cc" | "notify">): boolean =>
  assignees.length + cc.length + notify.length > 0;

/** Name of a batch's lock. It differs from the ticket's lock, which a change of the ticket already holds. */
export const lockOf = (ticketId: string): string => `ticket-mail:${ticketId}`;
