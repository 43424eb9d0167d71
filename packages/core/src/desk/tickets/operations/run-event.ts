import * as z from "zod";
import { mayAccess } from "../../../directory/access/require-access.ts";
import type { CommandContext } from "../../../kernel/calls/context.ts";
import { defineCommand, privilege } from "../../../kernel/calls/operation.ts";
import { DomainError, InputError } from "../../../kernel/errors/errors.ts";
import { hasWord } from "../../../search/ast.ts";
import { Id, number } from "../../../wire/fields/fields.ts";
import { looseObject, object } from "../../../wire/schemas/objects.ts";
import { readingOf } from "../../../work/jobs/access/rules/restriction.ts";
import { jobRecords } from "../../../work/jobs/records.ts";
import { outputsOf } from "../../../work/jobs/rules/owned-files.ts";
import { launchFiles, stubCall } from "../links/rules/stub-call.ts";
import type { Ticket, TicketEvent } from "../model.ts";
import { unknownTicket } from "../services/faults.ts";
import { requireTicket } from "./inputs.ts";

const RunInput = looseObject(() => ({
  id: Id,
  index: number().optional().describe("Position in `events` of the ticket."),
  event: Id.optional().describe("Event of the stub, in place of its position."),
  params: z.record(z.string(), z.unknown()).optional().describe("Merged over the parameters of the stub."),
}));
type RunInput = z.output<typeof RunInput>;

/** Most jobs whose output files are passed on; the newest ones win. */
const MAX_JOBS = 100;

export const runTicketEvent = defineCommand({
  name: "run_ticket_event",
  summary: "Launch an event that a ticket lists, with the ticket's files and the output of the jobs linked to it.",
  access: privilege("edit_tickets"),
  refuses: ["event", "ticket"],
  input: RunInput,
  output: object(() => ({ id: z.string() })),
  async handler(input, context) {
    const { actor, services, tx } = context;
    const { id } = input;
    services.gatekeeper.authorize(actor, privilege("run_jobs"));
    const ticket = await services.tickets.load(context, id);
    if (!ticket) throw unknownTicket(id);
    requireTicket(actor, ticket);
    const stub = stubOf(ticket, input);
    const files = launchFiles(services.ticketFiles.living(ticket.files ?? []), await outputFiles(context, id), id);
    const call = stubCall(stub, { params: input.params, files });
    return { id: await services.eventRuns.launch({ ...context, tx }, { call, members: { tickets: [id] } }, actor) };
  },
});

function stubOf({ id, events = [] }: Ticket, { index, event }: RunInput): TicketEvent {
  if (index === undefined && event === undefined) throw new InputError("Missing parameter: index");
  const stub = index === undefined ? events.find((each) => each.id === event) : events[index];
  if (!stub) throw new DomainError("ticket", "unknown", `Event not found in ticket: ${id}/${index ?? event}`);
  return stub;
}

/** Output files of finished jobs that the caller may see, oldest first. */
async function outputFiles({ actor, tx }: CommandContext, ticket: string) {
  const where = hasWord("tickets", ticket);
  const page = { sortBy: "id", descending: true, limit: MAX_JOBS };
  const { rows } = await tx.collection(jobRecords).find(where, page);
  return rows
    .toReversed()
    .filter((job) => mayAccess(actor, readingOf(job)))
    .flatMap((job) => outputsOf(job));
}
