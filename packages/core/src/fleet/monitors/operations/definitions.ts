import * as z from "zod";
import { requireUnlimited } from "../../../directory/access/require-unlimited.ts";
import { DomainError, InputError } from "../../../kernel/errors.ts";
import { deleteListed, findListed, insertListed, updateListed } from "../../../kernel/listed.ts";
import { credentials, defineCommand, defineQuery, privilege } from "../../../kernel/operation.ts";
import { andThen } from "../../../lib/awaitable.ts";
import { Id } from "../../../wire/fields.ts";
import { itemsOf } from "../../../wire/items.ts";
import { asList, Done, listOf, NoParameters } from "../../../wire/lists.ts";
import { mergeSparse, updateRecord } from "../../../wire/stamps.ts";
import { monitorCollection } from "../collection.ts";
import { CreateMonitor, Monitor, UpdateMonitor } from "../model.ts";
import { invalidField, newMonitor, nextSortOrder } from "../rules/definition.ts";
import type { MonitorService } from "../service.ts";

const listed = { collection: monitorCollection, code: "monitor", thing: "monitor" } as const;
const ById = z.looseObject({ id: Id });

const invalidDataType = (value: unknown): DomainError =>
  new DomainError("monitor", "malformed", `Invalid data type: ${String(value)}`);

/** What no data type of any plugin can be called is refused with the shape (docs/contract/monitors.md#definition). */
const DataType: z.ZodType<string, string> = z.unknown().transform((value): string => {
  if (typeof value === "string" && /^\w+$/.test(value)) return value;
  throw invalidDataType(value);
}) as never;

const Update = UpdateMonitor.extend({ data_type: DataType.optional() });

/** What must hold of every stored definition. */
function checkDefinition(monitor: Monitor, monitors: MonitorService): void {
  const refuse = (text: string): never => {
    throw new DomainError("monitor", "malformed", text);
  };
  const field = invalidField(monitor);
  if (field) refuse(`Invalid value for ${field}`);
  const source = monitors.sourceFault(monitor.source);
  if (source !== undefined) refuse(`Failed to compile expression: ${monitor.id}: ${source}`);
  const pattern = monitor.data_match ? monitors.patternFault(monitor.data_match) : undefined;
  if (pattern !== undefined) refuse(`Failed to compile data match regular expression: ${monitor.id}: ${pattern}`);
}

/** Plugins bring data types, so that the word alone cannot be refused with the shape. */
function checkDataType(dataType: unknown, monitors: MonitorService): void {
  if (dataType !== undefined && !monitors.isDataType(String(dataType))) throw invalidDataType(dataType);
}

export const getMonitors = defineQuery({
  name: "get_monitors",
  method: "GET",
  summary: "List all monitors.",
  access: credentials,
  input: NoParameters,
  output: listOf(Monitor),
  handler: (_input, { definitions }) => andThen(definitions.all(monitorCollection), asList),
});

export const getMonitor = defineQuery({
  name: "get_monitor",
  method: "ANY",
  summary: "Read one monitor.",
  access: credentials,
  input: ById,
  output: z.object({ monitor: Monitor }),
  handler: ({ id }, { definitions }) => andThen(findListed(definitions, listed, id), (monitor) => ({ monitor })),
});

export const createMonitor = defineCommand({
  name: "create_monitor",
  method: "POST",
  summary: "Create a monitor; it is evaluated from the next minute on.",
  access: privilege("create_monitors"),
  input: CreateMonitor,
  output: z.object({ monitor: Monitor }),
  async handler(input, { actor, audit, emit, ids, now, services, tx }) {
    requireUnlimited(actor, "monitors");
    if (!services.monitors.isDataType(input.data_type)) throw new InputError("Malformed parameter: data_type");
    const existing = await tx.collection(monitorCollection).list();
    const id = input.id ?? ids.short("m");
    const monitor = newMonitor(input, { id, username: actor.id, now, sortOrder: nextSortOrder(existing) });
    checkDefinition(monitor, services.monitors);
    await insertListed(tx, listed, monitor);
    audit("monitor_create", { monitor });
    emit("monitor.created", { id });
    return { monitor };
  },
});

export const updateMonitor = defineCommand({
  name: "update_monitor",
  method: "POST",
  summary: "Change a monitor; members not sent stay as they are.",
  access: privilege("edit_monitors"),
  input: Update,
  output: z.object({ monitor: Monitor }),
  async handler(input, { actor, audit, emit, now, services, tx }) {
    requireUnlimited(actor, "monitors");
    checkDataType(input.data_type, services.monitors);
    const monitor = await updateListed(tx, listed, input, (stored) => {
      const merged = updateRecord(stored, input, now);
      checkDefinition(merged, services.monitors);
      return merged;
    });
    audit("monitor_update", { monitor });
    emit("monitor.updated", { id: monitor.id });
    return { monitor };
  },
});

export const deleteMonitor = defineCommand({
  name: "delete_monitor",
  method: "POST",
  summary: "Remove a monitor; what it measured stays in the timelines.",
  access: privilege("delete_monitors"),
  input: ById,
  output: Done,
  async handler({ id }, { actor, audit, emit, tx }) {
    requireUnlimited(actor, "monitors");
    const monitor = await deleteListed(tx, listed, id);
    audit("monitor_delete", { monitor });
    emit("monitor.deleted", { id });
    return {};
  },
});

export const multiUpdateMonitor = defineCommand({
  name: "multi_update_monitor",
  method: "POST",
  summary: "Change several monitors at once, without stamps; meant for reordering. Unknown ids are skipped.",
  access: privilege("edit_monitors"),
  input: z.looseObject({ items: itemsOf(Update) }),
  output: Done,
  async handler({ items }, { actor, audit, emit, services, tx }) {
    requireUnlimited(actor, "monitors");
    for (const item of items) checkDataType(item.data_type, services.monitors);
    const monitors = tx.collection(monitorCollection);
    for (const item of items) {
      if (!(await monitors.get(item.id))) continue;
      await updateListed(tx, listed, item, (stored) => {
        const merged = mergeSparse(stored, item);
        checkDefinition(merged, services.monitors);
        return merged;
      });
      emit("monitor.updated", { id: item.id });
    }
    const updated = Object.keys(items[0] ?? {}).filter((member) => member !== "id");
    audit("monitor_multi_update", { description: "", updated });
    return {};
  },
});
