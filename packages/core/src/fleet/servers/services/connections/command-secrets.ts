import type { PluginRecord } from "../../../../directory/plugins/model.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import type { PluginSecrets } from "../../rules/joining/joined.ts";

/** The secrets that agents pass to monitor plugins in the environment (docs/contract/plugins.md#monitor-plugins). */
export interface CommandSecrets {
  /** Secrets of plugins without assigned secrets: known at once, and empty. */
  readonly known: PluginSecrets;
  areUsed(plugins: readonly PluginRecord[]): boolean;
  /** Decrypts; undefined when `known` already covers these plugins. */
  open(plugins: readonly PluginRecord[]): Promise<PluginSecrets> | undefined;
  /** Call it when a secret or plugin has changed: decrypted secrets are dropped. */
  forget(): void;
}

/**
 * Milliseconds that decrypted secrets are cached: a fleet that reconnects at once needs the same ones thousands of
 * times.
 */
const KEPT_MS = 5000;

type Values = Readonly<Record<string, string>>;
const NONE: Values = {};

export function createCommandSecrets(cradle: Pick<Cradle, "clock" | "vault">): CommandSecrets {
  let kept: { readonly untilMs: number; readonly values: Map<string, Promise<Values>> } | undefined;
  const hasSecrets = (id: string): boolean => cradle.vault.assigned("plugins", id).length > 0;
  const valuesOf = async (id: string): Promise<Values> => {
    const variables = await cradle.vault.variables("plugins", id);
    return Object.fromEntries(variables.map(({ name, value }) => [name, value]));
  };
  const opened = (id: string): Promise<Values> => {
    const nowMs = cradle.clock.monotonicMs();
    if (!kept || kept.untilMs <= nowMs) kept = { untilMs: nowMs + KEPT_MS, values: new Map() };
    const { values } = kept;
    const known = values.get(id);
    if (known) return known;
    const opening = valuesOf(id);
    values.set(id, opening);
    // Failures are not cached, so that the next caller tries again.
    opening.catch(() => values.delete(id));
    return opening;
  };
  const known: PluginSecrets = (id) => (hasSecrets(id) ? undefined : NONE);
  const needsSecrets = ({ id, type, enabled }: PluginRecord): boolean =>
    type === "monitor" && Boolean(enabled) && hasSecrets(id);
  return {
    known,
    areUsed: (plugins) => plugins.some(needsSecrets),
    open(plugins) {
      const wanted = plugins.filter(needsSecrets);
      if (wanted.length === 0) return undefined;
      const all = wanted.map(async ({ id }): Promise<[string, Values]> => [id, await opened(id)]);
      return Promise.all(all).then((entries) => {
        const values = new Map(entries);
        return (id) => values.get(id) ?? known(id);
      });
    },
    forget() {
      kept = undefined;
    },
  };
}
