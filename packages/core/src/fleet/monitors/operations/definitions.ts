import * as z from "zod";
import { requireUnlimited } from "../../../directory/access/require-unlimited.ts";
import { nextSortOrder } from "../../../directory/categories/rules.ts";
import { ListedOperations } from "../../../kernel/definitions/listed-operations.ts";
import { DomainError, InputError } from "../../../kernel/errors/errors.ts";
import { mergeSparse, updateRecord } from "../../../wire/fields/stamps.ts";
import { itemsOf } from "../../../wire/items.ts";
import { looseObject } from "../../../wire/schemas/objects.ts";
import { monitorCollection } from "../collection.ts";
import { CreateMonitor, Monitor, UpdateMonitor } from "../model.ts";
import { invalidField, newMonitor } from "../rules/definition.ts";
import type { MonitorService } from "../service.ts";

const monitors = new ListedOperations({
  collection: monitorCollection,
  record: Monitor,
  name: "monitor",
  plural: "monitors",
  prefix: "m",
  refuses: ["alert"],
});

const invalidDataType = (value: unknown): DomainError =>
  new DomainError("monitor", "malformed", `Invalid data type: ${String(value)}`);

/** A text with the form of a data type. Plugins add types, so whether it exists is checked later. */
const DataType: z.ZodType<string, string> = z.unknown().transform((value): string => {
  if (typeof value === "string" && /^\w+$/.test(value)) return value;
  throw invalidDataType(value);
}) as never;

const Update = looseObject(() => ({ ...UpdateMonitor.shape, data_type: DataType.optional() }));

/** Enforces the rules for every stored definition. */
function checkDefinition(monitor: Monitor, service: MonitorService): void {
  const refuse = (text: string): never => {
    throw new DomainError("monitor", "malformed", text);
  };
  const field = invalidField(monitor);
  if (field) refuse(`Invalid value for ${field}`);
  const source = service.sourceFault(monitor.source);
  if (source !== undefined) refuse(`Failed to compile expression: ${monitor.id}: ${source}`);
  const pattern = monitor.data_match ? service.patternFault(monitor.data_match) : undefined;
  if (pattern !== undefined) refuse(`Failed to compile data match regular expression: ${monitor.id}: ${pattern}`);
}

function checkDataType(
  { data_type: dataType }: { readonly data_type?: string | undefined },
  service: MonitorService,
): void {
  if (dataType !== undefined && !service.isDataType(dataType)) throw invalidDataType(dataType);
}

export const getMonitors = monitors.list({ summary: "List all monitors." });

export const getMonitor = monitors.get({ method: "ANY", summary: "Read one monitor." });

export const createMonitor = monitors.create({
  summary: "Create a monitor; it is evaluated from the next minute on.",
  input: CreateMonitor,
  shape({ data_type: dataType }, services) {
    if (!services.monitors.isDataType(dataType)) throw new InputError("Malformed parameter: data_type");
  },
  async draft(input, stamp, { actor, services, tx }) {
    requireUnlimited(actor, "monitors");
    // Two concurrent creations must not get the same order.
    await tx.lock("monitors:sort_order");
    const sortOrder = nextSortOrder(await tx.collection(monitorCollection).list());
    const monitor = newMonitor(input, { ...stamp, sortOrder });
    checkDefinition(monitor, services.monitors);
    return monitor;
  },
});

export const updateMonitor = monitors.updateAndAnswer({
  summary: "Change a monitor; members not sent stay unchanged.",
  input: Update,
  shape: (input, services) => checkDataType(input, services.monitors),
  before: (_input, { actor }) => requireUnlimited(actor, "monitors"),
  change(stored, input, { now, services }) {
    const changed = updateRecord(stored, input, now);
    checkDefinition(changed, services.monitors);
    return changed;
  },
});

export const deleteMonitor = monitors.delete({
  summary: "Remove a monitor; its readings stay in the timelines.",
  before: (_id, { actor }) => requireUnlimited(actor, "monitors"),
});

export const multiUpdateMonitor = monitors.multiUpdate({
  summary: "Change several monitors at once, without stamps; meant for reordering. Unknown ids are skipped.",
  input: looseObject(() => ({ items: itemsOf(Update) })),
  shape({ items }, services) {
    for (const item of items) checkDataType(item, services.monitors);
  },
  before: (_items, { actor }) => requireUnlimited(actor, "monitors"),
  change(stored, item, { services }) {
    const changed = mergeSparse(stored, item);
    checkDefinition(changed, services.monitors);
    return changed;
  },
});
