import { requireQuick } from "../../../expressions/index.ts";
import { ListedOperations } from "../../../kernel/definitions/listed-operations.ts";
import { InputError } from "../../../kernel/errors/errors.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import { type Caller, requireAccess } from "../../access/require-access.ts";
import { requireUnlimited } from "../../access/require-unlimited.ts";
import { pluginCollection } from "../collection.ts";
import { CreatePlugin, PluginRecord, UpdatePlugin } from "../model.ts";
import { findSlowPattern } from "../rules/parameters/slow-pattern.ts";
import { changedPlugin, isTimeout, needsAdministrator, newPlugin, paramsFault } from "../rules/record.ts";

const plugins = new ListedOperations({
  collection: pluginCollection,
  record: PluginRecord,
  name: "plugin",
  plural: "plugins",
  prefix: "p",
  refuses: ["alert"],
});

export const getPlugins = plugins.list({ summary: "List all plugins." });

export const getPlugin = plugins.get({ summary: "Read one plugin." });

export const createPlugin = plugins.create({
  summary: "Create a plugin; the id is generated when absent.",
  input: CreatePlugin,
  together: true,
  draft(input, stamp, { actor, services }) {
    requireDefinitions(input.params);
    const origin = input.marketplace ? { marketplace: input.marketplace } : {};
    if (needsAdministrator(origin, input)) requireAccess(actor, { privilege: "admin" }, services.lists.privileges);
    requireReach(actor, input);
    requireQuickPatterns(input.params);
    return newPlugin(input, stamp);
  },
});

export const updatePlugin = plugins.updateAndAnswer({
  summary: "Change a plugin; members not sent stay unchanged.",
  input: UpdatePlugin,
  async before(input, { actor, services, tx }) {
    requireDefinitions(input.params);
    const stored = await requirePlugin(tx, input.id);
    if (needsAdministrator(stored, input)) requireAccess(actor, { privilege: "admin" }, services.lists.privileges);
    requireReach(actor, stored);
    requireReach(actor, input);
    requireQuickPatterns(input.params, stored.params);
  },
  change: (stored, input, { now }) => changedPlugin(stored, input, now),
  after({ timeout }, { timeout: sent }) {
    if (sent !== undefined && sent !== null && !isTimeout(timeout))
      throw new InputError("Malformed parameter: timeout");
  },
});

export const deletePlugin = plugins.delete({
  summary: "Remove a plugin; records that use it fail from now on.",
  before: async (id, { actor, tx }) => requireReach(actor, await requirePlugin(tx, id)),
});

async function requirePlugin(tx: ReadTx, id: string): Promise<PluginRecord> {
  const plugin = await tx.collection(pluginCollection).get(id);
  if (!plugin) throw new InputError(`Plugin not found: ${id}`);
  return plugin;
}

/** Like the monitors themselves, a monitor plugin runs on servers of all groups. */
function requireReach(caller: Caller, { type }: { readonly type?: string | undefined }): void {
  if (type === "monitor") requireUnlimited(caller, "monitors");
}

function requireDefinitions(params: unknown): void {
  const fault = paramsFault(params);
  if (fault !== undefined) throw new InputError(fault);
}

function requireQuickPatterns(params: unknown, stored?: readonly unknown[] | null): void {
  const fault = Array.isArray(params) ? findSlowPattern(params, stored ?? [], requireQuick) : undefined;
  if (fault) throw new InputError(`Malformed plugin parameter: ${fault.id}: ${fault.reason}`);
}
