import { defineCommand, privilege } from "../../../kernel/calls/operation.ts";
import { requireRevision, sentRevision } from "../../../wire/fields/revision.ts";
import { looseObject, object } from "../../../wire/schemas/objects.ts";
import { ticketCollection } from "../collection.ts";
import { Ticket } from "../model.ts";
import { subjectOf } from "../rules/record.ts";
import { faultOfValues } from "../rules/values.ts";
import { unknownTicket } from "../services/faults.ts";
import { checkReferences, checkValues } from "../services/references.ts";
import {
  authorOf,
  checkShape,
  type Members,
  mergeJson,
  readLists,
  requireText,
  requireTicket,
  ticketMembers,
} from "./inputs.ts";

const UpdateTicket = looseObject(() => ({ ...ticketMembers(), if_revision: sentRevision })).transform(
  (input): Members => {
    const sent = mergeJson(input);
    // Other values are checked before the format of `id` (docs/contract/tickets.md).
    checkShape(sent);
    const { subject } = sent;
    if (subject !== undefined) requireText({ subject: subjectOf(subject ?? "") }, "subject", /\S/);
    // The host's own statuses and types are known only later, and a wrong one must be reported before a malformed id.
    if (faultOfValues(sent, BUILT_IN) === undefined) idOf(sent);
    return sent;
  },
);

const BUILT_IN = { more_statuses: [], more_types: [] };
const idOf = (sent: Members): string => requireText(sent, "id", /^\w+$/);

export const updateTicket = defineCommand({
  name: "update_ticket",
  summary: "Change a ticket; members not sent stay unchanged, and what the engine owns is ignored.",
  access: privilege("edit_tickets"),
  refuses: ["ticket"],
  example: { id: "tmh2x8k1a01", status: "closed" },
  input: UpdateTicket,
  output: object(() => ({ ticket: Ticket })),
  async handler(input, context) {
    const { actor, client, services } = context;
    const sent = readLists(input, client);
    checkValues(sent, context);
    const id = idOf(sent);
    const { category } = sent;
    if (category !== undefined) requireTicket(actor, { category: String(category ?? "") });
    const stored = await services.tickets.lock(context, id);
    if (!stored) throw unknownTicket(id);
    requireTicket(actor, stored);
    requireRevision({ code: "ticket", noun: ticketCollection.noun }, stored, sent);
    await checkReferences(sent, context, stored);
    const files = Array.isArray(sent["files"]) ? sent["files"].length : 0;
    // A lowered bound applies only to additional files, not to present ones.
    if (files > (stored.files?.length ?? 0)) services.ticketFiles.checkCount(files);
    return { ticket: await services.tickets.update(context, stored, sent, authorOf(actor)) };
  },
});
