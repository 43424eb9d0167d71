import * as z from "zod";
import { requireUnlimited } from "../../../directory/access/require-unlimited.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { deleteListed, findListed, insertListed, updateListed } from "../../../kernel/listed.ts";
import { credentials, defineCommand, defineQuery, privilege } from "../../../kernel/operation.ts";
import { andThen } from "../../../lib/awaitable.ts";
import { Id } from "../../../wire/fields.ts";
import { asList, Done, listOf, NoParameters } from "../../../wire/lists.ts";
import { updateRecord } from "../../../wire/stamps.ts";
import { alertCollection } from "../collection.ts";
import { Alert } from "../model.ts";
import { CreateAlert, invalidField, newAlert, readCount, UpdateAlert } from "../rules/inputs.ts";
import type { AlertService } from "../service.ts";

const listed = { collection: alertCollection, code: "alert", thing: "alert" } as const;
const ById = z.looseObject({ id: Id });
/** Kind of queued work that removes what a deleted definition left. */
export const PURGE_KIND = "alerts.purge";

/** What must hold of every stored definition (docs/contract/alerts.md#definition). */
function checkDefinition(alert: Alert, alerts: AlertService): void {
  const refuse = (text: string): never => {
    throw new DomainError("alert", "malformed", text);
  };
  const field = invalidField(alert);
  if (field) refuse(`Invalid value for ${field}`);
  const expression = alerts.expressionFault(alert.expression);
  if (expression !== undefined) refuse(`Failed to compile alert expression: ${alert.id}: ${expression}`);
  const message = alerts.messageFault(alert.message);
  if (message !== undefined) refuse(`Failed to compile macros in alert message: ${alert.id}: ${message}`);
}

export const getAlerts = defineQuery({
  name: "get_alerts",
  method: "GET",
  summary: "List all alert definitions.",
  access: credentials,
  input: NoParameters,
  output: listOf(Alert),
  handler: (_input, { definitions }) => andThen(definitions.all(alertCollection), asList),
});

export const getAlert = defineQuery({
  name: "get_alert",
  method: "GET",
  summary: "Read one alert definition, with the errors its evaluation ran into.",
  access: credentials,
  input: ById,
  output: z.object({ alert: Alert }),
  handler: ({ id }, { services, definitions }) =>
    andThen(findListed(definitions, listed, id), (alert) => {
      const errors = services.alerts.errorsOf(id);
      return { alert: errors ? { ...alert, errors } : alert };
    }),
});

export const createAlert = defineCommand({
  name: "create_alert",
  method: "POST",
  summary: "Create an alert definition; it is evaluated from the next minute on.",
  access: privilege("create_alerts"),
  input: CreateAlert,
  output: z.object({ alert: Alert }),
  async handler(input, context) {
    const { actor, audit, emit, ids, now, services, tx } = context;
    requireUnlimited(actor, "alerts");
    const id = input.id ?? ids.short("a");
    const alert = newAlert(input, { id, username: actor.id, now });
    checkDefinition(alert, services.alerts);
    await services.references.check(context, alertCollection, alert);
    await services.eventChecks.checkActions(tx, alert.actions);
    await insertListed(tx, listed, alert);
    audit("alert_create", { alert });
    emit("alert.created", { id });
    return { alert };
  },
});

export const updateAlert = defineCommand({
  name: "update_alert",
  method: "POST",
  summary: "Change an alert definition; disabling it ends its live invocations.",
  access: privilege("edit_alerts"),
  input: UpdateAlert,
  output: z.object({ alert: Alert }),
  async handler(input, context) {
    const { actor, audit, emit, now, services, tx } = context;
    requireUnlimited(actor, "alerts");
    const { errors: _errors, subject: _immutable, ...sent } = withCounts(input);
    await services.references.check(context, alertCollection, sent);
    const alert = await updateListed(tx, listed, input, (stored) => {
      const merged = updateRecord(stored, sent, now);
      checkDefinition(merged, services.alerts);
      return merged;
    });
    await services.eventChecks.checkActions(tx, input.actions);
    if (!alert.enabled) await services.alerts.endAll(context, alert);
    audit("alert_update", { alert });
    emit("alert.updated", { id: alert.id });
    return { alert };
  },
});

/** Numeric text becomes a number; a step such as "+1" stays text here and is added by the merge. */
function withCounts<T extends Readonly<Record<string, unknown>>>(input: T): T {
  const sent = ["samples", "repeat_minutes"].filter((member) => member in input);
  return { ...input, ...Object.fromEntries(sent.map((member) => [member, readCount(input[member])])) };
}

export const deleteAlert = defineCommand({
  name: "delete_alert",
  method: "POST",
  summary: "Remove an alert definition; its invocations go with it, in the background.",
  access: privilege("delete_alerts"),
  input: ById,
  output: Done,
  async handler({ id }, context) {
    const { actor, audit, emit, services, tx } = context;
    requireUnlimited(actor, "alerts");
    const alert = await deleteListed(tx, listed, id);
    await services.alerts.dropAll(context, id);
    await tx.enqueue(PURGE_KIND, { alert: id }, { key: id });
    audit("alert_delete", { alert });
    emit("alert.deleted", { id });
    return {};
  },
});
