import * as z from "zod";
import { InputError } from "../../../kernel/errors.ts";
import { deleteListed, findListed, insertListed, updateListed } from "../../../kernel/listed.ts";
import { credentials, defineCommand, defineQuery, privilege } from "../../../kernel/operation.ts";
import { andThen } from "../../../lib/awaitable.ts";
import type { ReadTx } from "../../../ports/storage.ts";
import { Id } from "../../../wire/fields.ts";
import { asList, Done, listOf, NoParameters } from "../../../wire/lists.ts";
import { type Caller, requireAccess } from "../../access/require-access.ts";
import { requireUnlimited } from "../../access/require-unlimited.ts";
import { pluginCollection } from "../collection.ts";
import { CreatePlugin, PluginRecord, UpdatePlugin } from "../model.ts";
import { changedPlugin, isTimeout, needsAdministrator, newPlugin, paramsFault } from "../rules/record.ts";

const listed = { collection: pluginCollection, code: "plugin", thing: "plugin" } as const;

export const getPlugins = defineQuery({
  name: "get_plugins",
  method: "GET",
  summary: "List all plugins.",
  access: credentials,
  input: NoParameters,
  output: listOf(PluginRecord),
  handler: (_input, { definitions }) => andThen(definitions.all(pluginCollection), asList),
});

export const getPlugin = defineQuery({
  name: "get_plugin",
  method: "GET",
  summary: "Read one plugin.",
  access: credentials,
  input: z.looseObject({ id: Id }),
  output: z.object({ plugin: PluginRecord }),
  handler: ({ id }, { definitions }) => andThen(findListed(definitions, listed, id), (plugin) => ({ plugin })),
});

export const createPlugin = defineCommand({
  name: "create_plugin",
  method: "POST",
  summary: "Create a plugin; the id is generated when absent.",
  access: privilege("create_plugins"),
  input: CreatePlugin,
  output: z.object({ plugin: PluginRecord }),
  together: true,
  async handler(input, { actor, audit, emit, ids, now, services, tx }) {
    requireDefinitions(input.params);
    if (needsAdministrator({}, input)) requireAccess(actor, { privilege: "admin" }, services.lists.privileges);
    requireReach(actor, input);
    const plugin = newPlugin(input, { id: input.id ?? ids.short("p"), username: actor.id, now });
    await insertListed(tx, listed, plugin);
    audit("plugin_create", { plugin });
    emit("plugin.created", { id: plugin.id });
    return { plugin };
  },
});

export const updatePlugin = defineCommand({
  name: "update_plugin",
  method: "POST",
  summary: "Change a plugin; members not sent stay as they are.",
  access: privilege("edit_plugins"),
  input: UpdatePlugin,
  output: z.object({ plugin: PluginRecord }),
  async handler(input, { actor, audit, emit, now, services, tx }) {
    requireDefinitions(input.params);
    const stored = await requirePlugin(tx, input.id);
    if (needsAdministrator(stored, input)) requireAccess(actor, { privilege: "admin" }, services.lists.privileges);
    requireReach(actor, stored);
    requireReach(actor, input);
    const plugin = await updateListed(tx, listed, input, (current) => changedPlugin(current, input, now));
    if (input.timeout !== undefined && !isTimeout(plugin.timeout)) throw new InputError("Malformed parameter: timeout");
    audit("plugin_update", { plugin });
    emit("plugin.updated", { id: plugin.id });
    return { plugin };
  },
});

export const deletePlugin = defineCommand({
  name: "delete_plugin",
  method: "POST",
  summary: "Remove a plugin; what names it fails from now on.",
  access: privilege("delete_plugins"),
  input: z.looseObject({ id: Id }),
  output: Done,
  async handler({ id }, { actor, audit, emit, tx }) {
    requireReach(actor, await requirePlugin(tx, id));
    const plugin = await deleteListed(tx, listed, id);
    audit("plugin_delete", { plugin });
    emit("plugin.deleted", { id });
    return {};
  },
});

async function requirePlugin(tx: ReadTx, id: string): Promise<PluginRecord> {
  const plugin = await tx.collection(pluginCollection).get(id);
  if (!plugin) throw new InputError(`Plugin not found: ${id}`);
  return plugin;
}

/** The program of a monitor runs on servers of all groups, as the monitors themselves do. */
function requireReach(caller: Caller, { type }: { readonly type?: string | undefined }): void {
  if (type === "monitor") requireUnlimited(caller, "monitors");
}

function requireDefinitions(params: unknown): void {
  const fault = paramsFault(params);
  if (fault !== undefined) throw new InputError(fault);
}
