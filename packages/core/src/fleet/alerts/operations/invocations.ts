import * as z from "zod";
import type { Caller } from "../../../directory/access/require-access.ts";
import { mayAccess, requireAccess } from "../../../directory/access/require-access.ts";
import { requireUnlimited } from "../../../directory/access/require-unlimited.ts";
import type { CommandContext } from "../../../kernel/calls/context.ts";
import { credentials, defineCommand, defineQuery, privilege } from "../../../kernel/calls/operation.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import { Id, idsOf } from "../../../wire/fields/fields.ts";
import { Done } from "../../../wire/schemas/lists.ts";
import { looseObject, object } from "../../../wire/schemas/objects.ts";
import { invocationCollection } from "../collection.ts";
import { Invocation } from "../model.ts";
import { reachOf } from "../rules/definition/subjects.ts";
import { acknowledgementInput } from "../rules/telling/acknowledgement.ts";
import { acknowledge, unacknowledge } from "../services/acknowledge.ts";
import { overlayLive } from "../services/shown/overlay.ts";

const Missing = object(() => ({ err: z.string() }));
const ById = looseObject(() => ({ id: Id }));

export const getAlertInvocations = defineQuery({
  name: "get_alert_invocations",
  method: "ANY",
  summary:
    "Read alert invocations by id, in the order of the ids; missing or hidden ones have an `err` in their place.",
  access: credentials,
  refuses: ["alert"],
  input: looseObject(() => ({ ids: idsOf("alert") })),
  output: object(() => ({ alerts: z.array(z.union([Missing, Invocation])) })),
  async handler({ ids }, { actor, services, tx }) {
    const live = await overlayLive(tx, await tx.collection(invocationCollection).getMany(ids));
    const told = await services.problems.overlay(tx, live);
    const found = await services.references.firings({ actor, tx }, told);
    const alerts = found.map((invocation, index) =>
      invocation && mayAccess(actor, reachOf(invocation))
        ? invocation
        : { err: `Failed to locate alert invocation: ${ids[index] ?? ""}` },
    );
    return { alerts };
  },
});

export const manageAlertInvocationTickets = defineCommand({
  name: "manage_alert_invocation_tickets",
  summary: "Replace the tickets that an alert invocation is linked to.",
  access: privilege("edit_tickets"),
  refuses: ["alert"],
  input: looseObject(() => ({ id: Id, tickets: z.array(z.string().regex(/^\w+$/)).max(1000) })),
  output: Done,
  async handler({ id, tickets }, { actor, audit, emit, services, tx }) {
    requireUnlimited(actor, "alerts");
    const found = await requireInvocation(tx, id, (reason) => `Failed to update alert invocation: ${id}: ${reason}`);
    await services.references.check({ actor, tx }, invocationCollection, { id, tickets });
    const lists = { stored: found.tickets, sent: tickets };
    const linked = await services.references.replacing({ actor, tx }, "ticket", lists);
    const alert = await tx.collection(invocationCollection).update(id, (stored) => ({ ...stored, tickets: linked }));
    audit("alert_update_tickets", { alert, description: id });
    emit("alert.linked", { id });
    return {};
  },
});

export const deleteAlertInvocation = defineCommand({
  name: "delete_alert_invocation",
  summary: "Remove an alert invocation; a live alert fires again only after it has cleared.",
  access: privilege("delete_alerts"),
  refuses: ["alert"],
  input: ById,
  output: Done,
  async handler({ id }, { actor, audit, emit, tx }) {
    requireUnlimited(actor, "alerts");
    const alert = await requireInvocation(tx, id, (reason) => `Failed to delete alert invocation: ${reason}`);
    // The alert's state on the server stays: it counts as fired until it has cleared.
    await tx.collection(invocationCollection).delete(id);
    audit("alert_delete_invocation", { alert, description: id });
    emit("alert.removed", { id });
    return {};
  },
});

export const acknowledgeAlertInvocation = defineCommand({
  name: "acknowledge_alert_invocation",
  summary: "Acknowledge a live alert invocation: nothing more is sent for it, its clearing only on request.",
  access: privilege("acknowledge_alerts"),
  refuses: ["alert"],
  input: looseObject(() => ({
    id: Id,
    ...acknowledgementInput,
  })),
  output: object(() => ({ alert: Invocation })),
  async handler({ id, ...given }, context) {
    const { actor, now, tx } = context;
    const stored = await requireOwn(tx, id, actor);
    if (!stored.active) throw new DomainError("alert", "conflict", `The alert invocation has ended already: ${id}`);
    return answered(context, await acknowledge(context, id, { ...given, username: actor.id }, now));
  },
});

export const unacknowledgeAlertInvocation = defineCommand({
  name: "unacknowledge_alert_invocation",
  summary: "Remove an acknowledgement: the alert sends notices again from now on.",
  access: privilege("acknowledge_alerts"),
  refuses: ["alert"],
  input: ById,
  output: object(() => ({ alert: Invocation })),
  async handler({ id }, context) {
    await requireOwn(context.tx, id, context.actor);
    return answered(context, await unacknowledge(context, id, id));
  },
});

async function answered({ actor, services, tx }: CommandContext, invocation: Invocation) {
  const [alert = invocation] = await services.references.firings({ actor, tx }, [invocation]);
  return { alert };
}

async function requireInvocation(tx: ReadTx, id: string, text: (reason: string) => string): Promise<Invocation> {
  const invocation = await tx.collection(invocationCollection).get(id);
  if (!invocation) throw new DomainError("alert", "unknown", text("Error: Item not found"));
  return invocation;
}

/** An invocation on a subject within the caller's reach. */
async function requireOwn(tx: ReadTx, id: string, actor: Caller): Promise<Invocation> {
  const invocation = await requireInvocation(tx, id, () => `Failed to locate alert invocation: ${id}`);
  requireAccess(actor, reachOf(invocation));
  return invocation;
}
