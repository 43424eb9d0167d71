import type { Cradle } from "../../../kernel/container.ts";
import type { Unit } from "../../../kernel/unit-of-work.ts";
import type { Ticket, TicketChange } from "../../tickets/model.ts";
import { ticketMailCollection } from "../collection.ts";
import type { TicketMailBatch } from "../model.ts";
import { addToBatch } from "../rules/batch.ts";

/**
 * Tells people of tickets by mail, some seconds after the last of several changes
 * (docs/contract/mail.md#mail-about-tickets).
 */
export interface TicketMails {
  /**
   * Notes what changed in a ticket, in the transaction of the change; `ticket` is the stored record. While it is a draft
   * nothing is noted and what waits is dropped, so call it for changes of drafts too, entries or none.
   */
  note(
    unit: Pick<Unit, "tx">,
    ticket: Pick<Ticket, "id" | "status" | "assignees" | "cc" | "notify">,
    entries: readonly TicketChange[],
    options: NoteOptions,
  ): Promise<void>;
  /** Forgets the notes that wait: the ticket is deleted. */
  drop(unit: Pick<Unit, "tx">, ticketId: string): Promise<void>;
}

export interface NoteOptions {
  /** "once": with this very commit; "debounced": when no further change came for a while. */
  readonly at: "once" | "debounced";
  /** A draft became public: its mail is that of a new ticket. Entries with the key `created` say the same of new ones. */
  readonly published?: boolean;
}

/** Kind of the queued item that makes the mail of a batch. */
export const TICKET_MAIL_KIND = "mail.ticket";

type Deps = Pick<Cradle, "clock" | "config" | "ids" | "mailer">;

export function createTicketMails({ clock, config, ids, mailer }: Deps): TicketMails {
  const drop: TicketMails["drop"] = async ({ tx }, ticketId) => {
    await tx.lock(lockOf(ticketId));
    await tx.collection(ticketMailCollection).delete(ticketId);
  };
  const fresh = (id: string, now: number): TicketMailBatch => ({
    ...{ id, key: ids.token(), entries: [], isNew: false, isUrgent: false },
    ...{ since: now, due: now },
  });
  const isSilent = (): boolean => !config.tickets.email_enabled || mailer === undefined || config.email_from === "";
  return {
    drop,
    async note({ tx }, ticket, entries, { at, published = false }) {
      if (ticket.status === "draft") return drop({ tx }, ticket.id);
      const isNothing = entries.length === 0 && !published;
      // No recipient can be added to a mail that leaves at once.
      if (isSilent() || isNothing || (at === "once" && !hasRecipients(ticket))) return;
      await tx.lock(lockOf(ticket.id));
      const batches = tx.collection(ticketMailCollection);
      const now = clock.now();
      const stored = await batches.get(ticket.id);
      const batch = addToBatch(stored ?? fresh(ticket.id, now), {
        ...{ entries, isNew: published, isUrgent: at === "once" },
        ...{ now, debounceSec: config.tickets.email_debounce_sec },
      });
      if (stored) await batches.update(ticket.id, () => batch);
      else await batches.insert(batch);
      // The item of the same ticket that still waits is replaced: that is the debounce.
      await tx.enqueue(TICKET_MAIL_KIND, { ticket: ticket.id }, { key: ticket.id, runAt: batch.due });
    },
  };
}

const hasRecipients = ({ assignees, cc, notify }: Pick<Ticket, "assignees" | "cc" | "notify">): boolean =>
  assignees.length + cc.length + notify.length > 0;

/** Of the batch alone: a change of a ticket holds the lock of the ticket already. */
export const lockOf = (ticketId: string): string => `ticket-mail:${ticketId}`;
