import type { PrepareContext } from "../../../kernel/calls/context.ts";
import { DomainError, InputError } from "../../../kernel/errors/errors.ts";
import { pluginCollection } from "../collection.ts";
import type { PluginRecord } from "../model.ts";

const NOUNS = { monitor: "Monitor", scheduler: "Scheduler" } as const;

/**
 * Refuses a call inside a transaction of the host: a trial run takes seconds, during which the transaction would hold its locks.
 */
export function requireAlone({ hosted }: PrepareContext): void {
  if (hosted)
    throw new DomainError("plugin", "conflict", "A plugin cannot be tested inside a transaction of the host.");
}

/** Returns the plugin with the id; one of another type counts as unknown. */
export async function requireType(
  { read }: PrepareContext,
  id: string,
  type: keyof typeof NOUNS,
): Promise<PluginRecord> {
  const plugin = await read((tx) => tx.collection(pluginCollection).get(id));
  if (plugin?.type !== type) throw new InputError(`${NOUNS[type]} Plugin not found: ${id}`);
  return plugin;
}
