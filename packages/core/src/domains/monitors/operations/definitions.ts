import * as z from "zod";
import { DomainError, InputError, NotFoundError } from "../../../kernel/errors.ts";
import { deleteListed, insertListed, updateListed } from "../../../kernel/listed.ts";
import { credentials, defineCommand, defineQuery, privilege } from "../../../kernel/operation.ts";
import { Id } from "../../../wire/fields.ts";
import { asList, Done, listOf, NoParameters } from "../../../wire/lists.ts";
import { updateRecord } from "../../../wire/stamps.ts";
import { monitorCollection } from "../collection.ts";
import { CreateMonitor, Monitor, UpdateMonitor } from "../model.ts";
import { requireUnlimited } from "../require-unlimited.ts";
import { invalidField, newMonitor, nextSortOrder } from "../rules/definition.ts";
import type { MonitorService } from "../service.ts";

const listed = { collection: monitorCollection, code: "monitor", thing: "monitor" } as const;
const ById = z.looseObject({ id: Id });

/** What must hold of every stored definition (part 20 §2, §3.1). */
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

export const getMonitors = defineQuery({
  name: "get_monitors",
  method: "GET",
  summary: "List all monitors.",
  access: credentials,
  input: NoParameters,
  output: listOf(Monitor),
  async handler(_input, { tx }) {
    return asList(await tx.collection(monitorCollection).list());
  },
});

export const getMonitor = defineQuery({
  name: "get_monitor",
  method: "GET",
  summary: "Read one monitor.",
  access: credentials,
  input: ById,
  output: z.object({ monitor: Monitor }),
  async handler({ id }, { tx }) {
    const monitor = await tx.collection(monitorCollection).get(id);
    if (!monitor) throw new NotFoundError(`Failed to locate monitor: ${id}`);
    return { monitor };
  },
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
  input: UpdateMonitor,
  output: z.object({ monitor: Monitor }),
  async handler(input, { actor, audit, emit, now, services, tx }) {
    requireUnlimited(actor, "monitors");
    const { data_type: dataType } = input;
    if (dataType !== undefined && !(typeof dataType === "string" && services.monitors.isDataType(dataType)))
      throw new DomainError("monitor", "malformed", `Invalid data type: ${String(dataType)}`);
    const monitor = await updateListed(tx, listed, input.id, (stored) => {
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
