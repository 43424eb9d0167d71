import type { Cradle } from "../../../kernel/container.ts";
import { causeIn } from "../../../kernel/transactions/unit-scope.ts";
import { ticketCollection } from "../collection.ts";
import { hasForeignFile } from "../links/rules/file-path.ts";
import type { Ticket, TicketAuthor, TicketChange, TicketFile } from "../model.ts";
import { appendEntries, automaticEntries } from "../rules/changes.ts";
import { mergeFiles } from "../rules/files.ts";
import { authorOf, counted, mergeTicket, newTicket, stubOf, withoutChanges, writtenKeys } from "../rules/record.ts";
import { faultOfValues } from "../rules/values.ts";
import type { TicketDesk } from "../service.ts";
import { malformedMember, requireMembers } from "./faults.ts";
import { createHistory } from "./history.ts";
import { createTicketNumbers, type TicketNumbers } from "./numbers.ts";
import { createShelf, type Shelf } from "./shelf.ts";

type Deps = Pick<Cradle, "clock" | "config" | "ids" | "jobs" | "ticketLinks" | "ticketMails">;

export function createTicketDesk(deps: Deps): TicketDesk {
  const shelf = createShelf(deps);
  const numbers = createTicketNumbers();
  return {
    create: createCreate(deps, shelf, numbers),
    update: createUpdate(deps, shelf),
    ...createHistory(deps, shelf),
    async setFiles(unit, id, next, by) {
      const stored = await shelf.require(unit.tx, id);
      const files = next(stored.files ?? []);
      const ticket = await shelf.replace(unit.tx, { ...counted(stored), files: [...files] });
      unit.audit("ticket_update", { ticket: stubOf(ticket), files: ticket.files ?? [] });
      unit.emit("ticket.updated", { ...told(ticket, by), keys: ["files"] });
      return ticket;
    },
    async remove(unit, id, by) {
      const ticket = await shelf.lock(unit.tx, id);
      if (!ticket) return undefined;
      await unit.tx.collection(ticketCollection).delete(id);
      await deps.ticketMails.drop(unit, id);
      await deps.ticketLinks.unlink(unit, ticket);
      unit.audit("ticket_delete", { ticket: withoutChanges(ticket), params: { id } });
      unit.emit("ticket.deleted", told(ticket, by));
      return ticket;
    },
    faultOfType: (type) => faultOfValues({ type }, deps.config.tickets),
    nextNumber: numbers.next,
    raiseNumber: numbers.raise,
    load: ({ tx }, id) => shelf.load(tx, id),
    lock: ({ tx }, id) => shelf.lock(tx, id),
  };
}

const told = ({ id, num, category }: Ticket, by: TicketAuthor) => ({
  id,
  num,
  category: category ?? "",
  by: by.username,
});

function createCreate(deps: Deps, shelf: Shelf, numbers: TicketNumbers): TicketDesk["create"] {
  return async (unit, draft, by) => {
    const { tx } = unit;
    const id = draft.id || deps.ids.short("t");
    requireMembers(draft);
    shelf.checkText(draft["body"]);
    const now = shelf.now();
    const { username, cause = causeIn(tx) } = by;
    const author = { id, now, username, author: authorOf(draft, by), cause };
    const record = newTicket(
      { ...draft, files: filesOf(deps, { id, known: [] }, draft["files"], by) },
      author,
      shelf.dates(),
    );
    const tell = by.announce === "once" ? deps.ticketMails.announce : deps.ticketMails.note;
    await tell(unit, record, record.changes);
    // As late as possible, because all other creates of tickets wait from here until the commit.
    const ticket = { ...record, num: await numbers.take(tx) };
    await shelf.insert(tx, ticket);
    unit.audit("ticket_create", { ticket: withoutChanges(ticket) });
    unit.emit("ticket.created", told(ticket, by));
    return ticket;
  };
}

function createUpdate(deps: Deps, shelf: Shelf): TicketDesk["update"] {
  return async (unit, stored, changes, by) => {
    const { id } = stored;
    requireMembers(changes);
    shelf.checkText(changes["body"]);
    const now = shelf.now();
    const { files: _sent, ...merged } = mergeTicket(stored, changes, now, shelf.dates());
    const { files: known } = stored;
    const sent = changes["files"] ? filesOf(deps, { id, known: known ?? [] }, changes["files"], by) : undefined;
    const files = sent && (known || sent.length > 0) ? sent : known;
    const edited: Ticket = {
      ...merged,
      username: authorOf(changes, { username: stored.username, isAdmin: by.isAdmin }),
      ...(files ? { files } : {}),
    };
    const entries = automaticEntries(stored, edited, { username: by.username, now });
    const ticket = await shelf.replace(unit.tx, { ...edited, changes: appendEntries(stored.changes, entries) });
    unit.audit("ticket_update", { ticket: withoutChanges(ticket) });
    if (isClosed(entries)) shelf.count(unit.tx, "ticket_close");
    const published = stored.status === "draft" && ticket.status !== "draft";
    await deps.ticketMails.note(unit, ticket, entries, { published });
    unit.emit("ticket.updated", { ...told(ticket, by), keys: writtenKeys(changes), ...movedFrom(stored, ticket) });
    return ticket;
  };
}

function movedFrom({ category: before }: Ticket, { category }: Ticket): { from?: string } {
  const from = before ?? "";
  return from === (category ?? "") ? {} : { from };
}

const isClosed = (entries: readonly TicketChange[]): boolean =>
  entries.some(({ key, value }) => key === "status" && value === "closed");

/** Throws for a file that does not belong to the ticket. */
function filesOf(
  { clock, ids }: Deps,
  { id, known }: { readonly id: string; readonly known: readonly TicketFile[] },
  sent: unknown,
  { username }: TicketAuthor,
): TicketFile[] {
  if (!sent) return [];
  if (hasForeignFile(sent, id, known)) throw malformedMember("files");
  const stamp = { ticket: id, username, now: Math.floor(clock.now()), newId: () => ids.short("f") };
  return mergeFiles(known, sent as readonly TicketFile[], stamp);
}
