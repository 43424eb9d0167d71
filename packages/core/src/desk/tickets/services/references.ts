import { categoryRecords } from "../../../directory/categories/records.ts";
import { withDefaults } from "../../../directory/plugins/rules/parameters/fields.ts";
import { tagRecords } from "../../../directory/tags/records.ts";
import type { OperationContext } from "../../../kernel/calls/context.ts";
import { InputError } from "../../../kernel/errors/errors.ts";
import { membersOf } from "../../../lib/json/is-object.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import { ticketCollection } from "../collection.ts";
import type { Ticket, TicketEvent } from "../model.ts";
import { faultOfValues } from "../rules/values.ts";
import { malformed } from "./faults.ts";

type Members = Readonly<Record<string, unknown>>;
type Context = Pick<OperationContext, "actor" | "config" | "services"> & { readonly tx: ReadTx };

/** Throws `DomainError` for a status or type that neither the contract nor the host knows. */
export function checkValues(sent: Members, { config }: Pick<Context, "config">): void {
  const fault = faultOfValues(sent, config.tickets);
  if (fault !== undefined) throw malformed(fault);
}

/**
 * Throws `DomainError` for tags, a category or events that do not exist (docs/contract/tickets.md#checks), and `AccessError` for
 * events and servers beyond the caller's reach. References that the stored ticket already has may be outdated, because clients
 * send whole records back.
 */
export async function checkReferences(sent: Members, context: Context, stored?: Ticket): Promise<void> {
  const { services, tx } = context;
  await services.references.check(context, ticketCollection, sent);
  const tags = ((sent["tags"] || []) as readonly string[]).filter((tag) => !stored?.tags.includes(tag));
  const found = await tx.collection(tagRecords).getMany(tags);
  const unknown = tags.find((_id, index) => !found[index]);
  if (unknown !== undefined) throw malformed(`Unknown tag: ${unknown}`);
  const category = sent["category"] ? String(sent["category"]) : undefined;
  if (category !== undefined && category !== stored?.category && !(await tx.collection(categoryRecords).get(category)))
    throw malformed(`Unknown category: ${category}`);
  const known = new Set(stored?.events?.map((stub) => JSON.stringify(stub)));
  for (const stub of (sent["events"] || []) as readonly TicketEvent[])
    if (!known.has(JSON.stringify(stub))) await checkStub(stub, context);
}

async function checkStub({ id, params }: TicketEvent, { services, tx }: Context): Promise<void> {
  const event = await services.eventRecords.read(tx, id);
  if (!event) throw malformed(`Unknown event: ${id}`);
  const filled = withDefaults(event.fields, { ...event.params, ...membersOf(params) });
  try {
    services.eventChecks.checkFields(event.fields, filled, "Ticket Event");
  } catch (error) {
    // The same message under the code of tickets.
    throw error instanceof InputError ? malformed(error.message) : error;
  }
}
