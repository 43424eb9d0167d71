import type { Cradle } from "../../../../kernel/container.ts";
import type { Unit } from "../../../../kernel/transactions/unit-of-work.ts";
import type { WriteTx } from "../../../../ports/storage/storage.ts";
import type { Ticket, TicketChange } from "../../../tickets/model.ts";
import { ticketMailCollection } from "../../collection.ts";
import type { TicketMailBatch } from "../../model.ts";
import { addToBatch, type BatchAddition } from "../../rules/tickets/batch.ts";

/**
 * Tells people of tickets by mail, some seconds after the last of several changes
 * (docs/contract/mail.md#mail-about-tickets).
 */
export interface TicketMails {
  /** Tells of a new ticket with the commit of its creation, unless it is a draft; `ticket` is the record to be stored. */
  announce(
    unit: Pick<Unit, "tx">,
    ticket: Pick<Ticket, "id" | "status" | "assignees" | "cc" | "notify">,
    entries: readonly TicketChange[],
  ): Promise<void>;
  /**
   * Notes the changes of a ticket, in their transaction; `ticket` is the stored record. For a draft it notes nothing
   * and drops the notes that wait, so it is to be called for changes of drafts too, also without entries.
   */
  note(
    unit: Pick<Unit, "tx">,
    ticket: Pick<Ticket, "id" | "status">,
    entries: readonly TicketChange[],
    options?: NoteOptions,
  ): Promise<void>;
  /** Forgets the notes that wait: the ticket is deleted. */
  drop(unit: Pick<Unit, "tx">, ticketId: string): Promise<void>;
}

export interface NoteOptions {
  /** A draft became public and is mailed like a new ticket, which entries with the key `created` mark. */
  readonly published?: boolean;
}

/** Kind of the queued item that makes the mail of a batch. */
export const TICKET_MAIL_KIND = "mail.ticket";
/** Kind of the queued item that sends the mail of a new ticket. */
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
      // No recipient can be added to a mail that leaves at once.
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
    // An item that comes too early waits on by itself; an overdue item may be lost.
    if (!stored || batch.due < stored.due || stored.due <= now) await enqueueBatch(tx, batch);
  };
}

/** Queues the item of a batch; a waiting item of the same ticket is replaced. */
export const enqueueBatch = (tx: WriteTx, { id, due }: Pick<TicketMailBatch, "id" | "due">): Promise<void> =>
  tx.enqueue(TICKET_MAIL_KIND, { ticket: id }, { key: id, runAt: due });

const hasRecipients = ({ assignees, cc, notify }: Pick<Ticket, "assignees" | "cc" | "notify">): boolean =>
  assignees.length + cc.length + notify.length > 0;

/** Name of the lock of a batch: a change of a ticket holds the lock of the ticket already. */
export const lockOf = (ticketId: string): string => `ticket-mail:${ticketId}`;
