import * as z from "zod";
import type { CommandContext } from "../../../kernel/calls/context.ts";
import { defineCommand, privilege } from "../../../kernel/calls/operation.ts";
import { InputError } from "../../../kernel/errors/errors.ts";
import { isObject } from "../../../lib/json/is-object.ts";
import { optionalFlag, WordId } from "../../../wire/fields/fields.ts";
import { looseObject, object } from "../../../wire/schemas/objects.ts";
import { shown } from "../../../wire/schemas/shown-members.ts";
import { Ticket, type TicketNote } from "../model.ts";
import type { EntryEdit } from "../service.ts";
import { malformed, unknownTicket } from "../services/faults.ts";
import { authorOf, requireTicket } from "./inputs.ts";

const NO_CHANGE = "Missing required 'change' parameter.";
const entry = (description: string) =>
  shown(looseObject(() => ({ type: z.string().optional(), body: z.string().optional() })).describe(description));

const AddChange = looseObject(() => ({ id: WordId, change: entry("`type`, and `body` in Markdown.") })).transform(
  ({ id, change }): { id: string; change: TicketNote } => {
    if (!isObject(change)) throw malformed(NO_CHANGE);
    const { type, body } = change;
    if (!type) throw malformed("Change requires a 'type' parameter.");
    if (typeof type !== "string" || !/^[a-z][a-z0-9_]*$/.test(type)) throw new InputError("Malformed parameter: type");
    checkBody(body);
    return { id, change: { ...change, type, body: textOf(body) } };
  },
);

const UpdateChange = looseObject(() => ({
  id: WordId,
  change_id: WordId,
  change: entry("Members that take the place of the stored ones."),
  delete: optionalFlag().describe("Removes the entry."),
})).transform(({ id, change_id: change, change: sent, delete: isDeleted }) => {
  const ids = { ticket: id, change };
  if (isDeleted) return { ids, edit: { delete: true } satisfies EntryEdit };
  if (!isObject(sent)) throw malformed(NO_CHANGE);
  checkBody(sent["body"]);
  return { ids, edit: { change: sent } satisfies EntryEdit };
});

function checkBody(body: unknown): void {
  if (typeof body === "object" && body !== null) throw new InputError("Malformed parameter: body");
}

const textOf = (body: unknown): string | undefined => (body === undefined || body === null ? undefined : String(body));

/** Locks the ticket against other writers. Throws if it does not exist or is beyond the caller's reach. */
async function lockTicket(id: string, context: CommandContext): Promise<void> {
  const ticket = await context.services.tickets.lock(context, id);
  if (!ticket) throw unknownTicket(id);
  requireTicket(context.actor, ticket);
}

export const addTicketChange = defineCommand({
  name: "add_ticket_change",
  summary: "Add a comment or another entry to the history of a ticket.",
  access: privilege("edit_tickets"),
  refuses: ["ticket"],
  example: { id: "tmh2x8k1a01", change: { type: "comment", body: "Logs are rotated daily now." } },
  input: AddChange,
  output: object(() => ({ ticket: Ticket })),
  async handler({ id, change }, context) {
    await lockTicket(id, context);
    return { ticket: await context.services.tickets.addChange(context, id, change, authorOf(context.actor)) };
  },
});

export const updateTicketChange = defineCommand({
  name: "update_ticket_change",
  summary: "Edit or remove an entry that the caller added; administrators may do so with any.",
  access: privilege("edit_tickets"),
  refuses: ["ticket"],
  example: { id: "tmh2x8k1a01", change_id: "c1", change: { body: "Logs are rotated hourly now." } },
  input: UpdateChange,
  output: object(() => ({ ticket: Ticket })),
  async handler({ ids, edit }, context) {
    await lockTicket(ids.ticket, context);
    return { ticket: await context.services.tickets.editChange(context, ids, edit, authorOf(context.actor)) };
  },
});
