import type * as z from "zod";
import { type Caller, mayAccess } from "../../../directory/access/require-access.ts";
import { requireUnlimited } from "../../../directory/access/require-unlimited.ts";
import type { CommandContext } from "../../../kernel/calls/context.ts";
import { ListedOperations } from "../../../kernel/definitions/listed-operations.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import { updateRecord } from "../../../wire/fields/stamps.ts";
import { alertCollection } from "../collection.ts";
import { Alert } from "../model.ts";
import {
  CreateAlert,
  definitionFault,
  invalidField,
  newAlert,
  readCounts,
  UpdateAlert,
} from "../rules/definition/inputs.ts";
import { kindOf } from "../rules/definition/subjects.ts";
import { unclosedMacroWarning } from "../rules/evaluation/unknown-monitors.ts";
import type { AlertService } from "../service.ts";

const alerts = new ListedOperations({
  collection: alertCollection,
  record: Alert,
  name: "alert",
  plural: "alerts",
  prefix: "a",
});
/** Kind of the queued work that deletes the states and invocations of a deleted definition. */
export const PURGE_KIND = "alerts.purge";

/** Enforces the rules for every stored definition (docs/contract/alerts.md#definition). */
function checkDefinition(alert: Alert, service: AlertService, stored?: Alert): void {
  // An invalid value is reported before any invalid relation to other definitions.
  const field = invalidField(alert);
  const fault = field
    ? `Invalid value for ${field}`
    : (service.relationFault(alert, stored) ?? definitionFault(alert, service));
  if (fault !== undefined) throw new DomainError("alert", "malformed", fault);
}

/** Alerts on events, heartbeats or checks may apply to any category, so they need access to all categories. */
function requireReach(actor: Caller, alert: Pick<Alert, "subject">): void {
  requireUnlimited(actor, "alerts");
  const kind = kindOf(alert);
  if (kind !== "server" && kind !== "presence" && !mayAccess(actor, { category: "*" }))
    throw new DomainError("alert", "conflict", `Category-limited users may not manage alerts on ${kind}s.`);
}

/** Warnings, as sentences, about misleading expressions and messages. */
async function warningsOf(alert: Alert, { services, tx }: CommandContext): Promise<string[]> {
  const unclosed = unclosedMacroWarning(alert.message);
  return [
    ...services.alerts.unknownMonitors(alert.expression),
    ...(alert.recovery ? services.alerts.unknownMonitors(alert.recovery) : []),
    ...(unclosed === undefined ? [] : [unclosed]),
    ...(await services.eventChecks.actionWarnings(tx, alert.actions)),
  ];
}

/** The members that an update may change. A step such as "+1" stays a text here, and the merge adds it. */
function changesOf({ errors: _errors, subject: _immutable, ...sent }: z.output<typeof UpdateAlert>) {
  return { ...sent, ...readCounts(sent) };
}

export const getAlerts = alerts.list({ summary: "List all alert definitions." });

export const getAlert = alerts.get({
  summary: "Read one alert definition, with the errors its evaluation ran into.",
  show(alert, { services }) {
    const errors = services.alerts.errorsOf(alert.id);
    return errors ? { ...alert, errors } : alert;
  },
});

export const createAlert = alerts.create({
  summary: "Create an alert definition; it is evaluated from the next minute on.",
  input: CreateAlert,
  async draft(input, stamp, context) {
    const { actor, services, tx } = context;
    const alert = newAlert(input, stamp);
    requireReach(actor, alert);
    checkDefinition(alert, services.alerts);
    await services.references.check(context, alertCollection, alert);
    await services.eventChecks.checkActions({ actor, tx }, alert.actions);
    return alert;
  },
  warnings: warningsOf,
});

export const updateAlert = alerts.updateAndAnswer({
  summary: "Change an alert definition; disabling it ends its live invocations.",
  input: UpdateAlert,
  async before(input, context) {
    requireUnlimited(context.actor, "alerts");
    await context.services.references.check(context, alertCollection, changesOf(input));
  },
  change(stored, input, { actor, now, services }) {
    requireReach(actor, stored);
    const changed = updateRecord(stored, changesOf(input), now);
    checkDefinition(changed, services.alerts, stored);
    return changed;
  },
  async after(alert, input, context, stored) {
    await context.services.eventChecks.checkActions(context, input.actions, stored.actions);
    if (!alert.enabled) await context.services.alerts.endAll(context, alert, context.actor.id);
  },
  warnings: warningsOf,
});

export const deleteAlert = alerts.delete({
  summary: "Remove an alert definition; its invocations go with it, in the background.",
  before: (_id, { actor }) => requireUnlimited(actor, "alerts"),
  async after(alert, context) {
    const { id } = alert;
    requireReach(context.actor, alert);
    await context.services.alerts.dropAll(context, id);
    await context.tx.enqueue(PURGE_KIND, { alert: id }, { key: id });
  },
});
