import * as z from "zod";
import { discardIfRefused } from "../../../directory/files/discard-if-refused.ts";
import type { Actor, PrepareContext } from "../../../kernel/calls/context.ts";
import { defineCommand, privilege } from "../../../kernel/calls/operation.ts";
import { DomainError, SignalboxError } from "../../../kernel/errors/errors.ts";
import { filterMembers } from "../../../lib/json/filter-members.ts";
import { looseObject, object } from "../../../wire/schemas/objects.ts";
import { shown } from "../../../wire/schemas/shown-members.ts";
import type { TicketSource } from "../links/templates.ts";
import { Ticket, type TicketDraft, type TicketFile } from "../model.ts";
import { cleanSubject } from "../rules/sanitise.ts";
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

const CreateTicket = looseObject(() => ({
  ...ticketMembers(),
  id: z.string().nullish(),
  template: shown(z.enum(["job", "alert"]).describe("The body tells of it.")),
  job: shown(z.string().describe("Id of the job of the template.")),
  alert: shown(z.string().describe("Id of the invocation of the template.")),
})).transform((input): Members => {
  const sent = mergeJson(input);
  const subject = cleanSubject(requireText(sent, "subject", /\S/));
  if (sent["id"] !== undefined && sent["id"] !== null) requireText(sent, "id", /^[a-z0-9_]+$/);
  requireText({ subject }, "subject", /\S/);
  checkShape(sent);
  // An empty status counts as absent.
  return sent["status"] ? sent : { ...sent, status: undefined };
});

interface Prepared {
  readonly sent: Members;
  readonly draft: TicketDraft & { readonly id: string };
  readonly source: TicketSource | undefined;
  /** Files that were kept for this call. */
  readonly files: readonly TicketFile[];
}

export const createTicket = defineCommand({
  name: "create_ticket",
  files: true,
  summary:
    "Create a ticket; files of a form are attached to it, and a template writes the body from a job or an alert.",
  access: privilege("create_tickets"),
  refuses: ["ticket"],
  accepts: ["active_jobs"],
  example: { subject: "The disk of web1 is full", type: "issue", body: "It fills by 2 GB a day." },
  input: CreateTicket,
  output: object(() => ({ ticket: Ticket })),
  // A template changes the record it is made from, and an id that is taken would fail the calls that share the transaction.
  together: ({ id, template }) => (id || template ? undefined : "create_ticket"),
  /** Reads logs and stores files outside the transaction, and only if the ticket would be created. */
  async prepare(input, context): Promise<Prepared> {
    const { actor, client, ids, services } = context;
    const sent = readLists(input, client);
    checkValues(sent, context);
    if (sent["category"] || !sent["template"]) requireCategory(actor, sent);
    const source = await services.ticketTemplates.source(sent, actor);
    const members: Members = source ? { ...source.defaults, ...present(sent), body: source.body } : sent;
    requireCategory(actor, members);
    const id = String(sent["id"] ?? ids.short("t"));
    await context.read((tx) => checkReferences(sent, { ...context, tx }));
    const files = await keepFiles(id, sent["files"], context);
    return { sent, source, files, draft: { ...members, subject: String(sent["subject"]), id } };
  },
  async handler(_input, context) {
    const { actor, prepared, services } = context;
    const { draft, files, sent, source } = prepared;
    try {
      await checkReferences(sent, context);
      const attached = [...((draft["files"] || []) as TicketFile[]), ...files];
      const author = { ...authorOf(actor), announce: "once" } as const;
      const ticket = await services.tickets.create(context, { ...draft, files: attached }, author);
      if (source) await services.ticketLinks.link(context, source.origin, ticket);
      return { ticket };
    } catch (error) {
      discardIfRefused(error, () => services.ticketFiles.discard(files));
      throw error;
    }
  },
});

const present = (sent: Members): Members =>
  filterMembers(sent, (_name, value) => value !== undefined && value !== null);

const requireCategory = (actor: Actor, { category }: Members): void =>
  requireTicket(actor, { category: category ? String(category) : "" });

async function keepFiles(id: string, sent: unknown, context: PrepareContext): Promise<TicketFile[]> {
  const { actor, services, uploads, read } = context;
  const { tickets, ticketFiles } = services;
  const existing = Array.isArray(sent) ? sent.length : 0;
  if (uploads.length === 0 && existing === 0) return [];
  ticketFiles.check(uploads, existing);
  // The id is taken, so the call will be refused: storing files would be pointless.
  if (await read((tx) => tickets.load({ tx }, id))) return [];
  try {
    return await ticketFiles.keep(uploads, { ticket: id, username: actor.id, attached: true });
  } catch (error) {
    if (error instanceof SignalboxError) throw error;
    context.log.error({ ticket: id, error }, "Files of a new ticket could not be stored");
    const description = "Failed to create ticket: its files could not be stored";
    throw new DomainError("ticket", "failed", description, { cause: error });
  }
}
