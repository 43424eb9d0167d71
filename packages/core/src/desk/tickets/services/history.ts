import type { Cradle } from "../../../kernel/container.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import type { Ticket, TicketAuthor, TicketChange } from "../model.ts";
import { appendEntries, deletedEntry, editEntry } from "../rules/changes.ts";
import { stubOf } from "../rules/record.ts";
import { cleanBody } from "../rules/sanitise.ts";
import type { EntryEdit, TicketDesk } from "../service.ts";
import type { Shelf } from "./shelf.ts";

type Members = Readonly<Record<string, unknown>>;

type Deps = Pick<Cradle, "ids" | "ticketMails">;

/** Entries that people write: comments, and entries of other types (docs/contract/tickets.md#operations). */
export function createHistory(deps: Deps, shelf: Shelf): Pick<TicketDesk, "addChange" | "editChange"> {
  const { ids } = deps;

  return {
    async addChange(unit, id, note, by) {
      shelf.checkText(note.body);
      const stored = await shelf.require(unit.tx, id);
      const now = shelf.now();
      const { edited: _edited, key, ...members } = withCleanBody(note);
      const change: TicketChange = {
        ...members,
        ...(typeof key === "string" ? { key } : {}),
        type: note.type,
        id: ids.short("c"),
        username: by.username,
        date: now,
      };
      const ticket = await shelf.replace(unit.tx, { ...stored, changes: [...stored.changes, change], modified: now });
      unit.audit("ticket_add_change", { ticket: stubOf(ticket), change });
      return tell(deps, unit, ticket, { added: [change], by });
    },
    async editChange(unit, { ticket: id, change: entryId }, edit, by) {
      if (!edit.delete) shelf.checkText(edit.change["body"]);
      const stored = await shelf.require(unit.tx, id);
      const entry = stored.changes.find((change) => change.id === entryId);
      if (!entry) throw new DomainError("ticket", "unknown", `Change not found in ticket: ${id}/${entryId}`);
      if (entry.username !== by.username && !by.isAdmin) throw notYours();
      const now = shelf.now();
      const { changes, added, told } = applyEdit(stored, entry, edit, { username: by.username, now });
      const ticket = await shelf.replace(unit.tx, { ...stored, changes, modified: now });
      unit.audit("ticket_update_change", { ticket: stubOf(ticket), change: told });
      return tell(deps, unit, ticket, { added, by });
    },
  };
}

async function tell(
  { ticketMails }: Deps,
  unit: Unit,
  ticket: Ticket,
  { added, by }: { readonly added: readonly TicketChange[]; readonly by: TicketAuthor },
): Promise<Ticket> {
  const { id, num, category } = ticket;
  await ticketMails.note(unit, ticket, added);
  unit.emit("ticket.updated", { id, num, category: category ?? "", by: by.username, keys: ["changes"] });
  return ticket;
}

/** Refuses an edit. The code is not `access`, because the contract prescribes the code of the domain. */
const notYours = (): DomainError =>
  new DomainError("ticket", "conflict", "You do not have the required privileges to update comments posted by others.");

const withCleanBody = <T extends Members>(members: T): T =>
  members["body"] === undefined ? members : { ...members, body: cleanBody(String(members["body"] ?? "")) };

function applyEdit(
  { changes, status }: Ticket,
  entry: TicketChange,
  edit: EntryEdit,
  stamp: { readonly username: string; readonly now: number },
): { changes: TicketChange[]; added: TicketChange[]; told: TicketChange } {
  if (!edit.delete) {
    const edited = editEntry(entry, withCleanBody(edit.change), stamp.now);
    return { changes: changes.map((change) => (change === entry ? edited : change)), added: [], told: edited };
  }
  const added = status === "draft" ? [] : [deletedEntry(stamp)];
  const kept = changes.filter((change) => change !== entry);
  return { changes: appendEntries(kept, added), added, told: { ...entry, delete: true } };
}
