import { pluginRecords } from "../../../directory/plugins/records.ts";
import { lacksBuiltIn } from "../../../fleet/servers/rules/built-ins.ts";
import { resolveTargets } from "../../../fleet/servers/rules/targets.ts";
import type { Cradle } from "../../../kernel/container.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import type { Action } from "../../../wire/entries/actions-and-limits.ts";
import type { Event } from "../model.ts";
import { lostFunctionWarning } from "../rules/lost-functions.ts";
import { templateWarnings } from "../rules/record/warnings.ts";
import { actionWarnings } from "./action-warnings.ts";

/** Warnings, as sentences, about saved definitions that will not work as intended. */
export interface SaveWarnings {
  /**
   * Members of an answer about a saved event: warnings, after those that the caller already has; no members when there are none
   * (docs/contract/expressions.md#where-they-stand).
   */
  warnings(tx: ReadTx, event: Event, known?: readonly string[]): Promise<{ readonly warnings?: string[] }>;
  /** Warnings about actions that name missing records; such actions are accepted, and fail when they run. */
  actionWarnings(tx: ReadTx, actions: readonly Action[] | null | undefined): Promise<string[]>;
  /** A sentence about events whose function this program lacks. */
  lostWarning(events: readonly Event[]): string | undefined;
}

type Deps = Pick<Cradle, "definitions" | "expressions" | "jobs" | "registry" | "servers">;

export const createSaveWarnings = (deps: Deps): SaveWarnings => ({
  actionWarnings,
  lostWarning: (list) => lostFunctionWarning(list, (id) => deps.registry.hostEvents.has(id)),
  async warnings(tx, event, others = []) {
    const ofActions = await actionWarnings(tx, event.actions);
    const ofTemplates = templateWarnings(event, deps.expressions);
    const warnings = [...others, ...ofTemplates, ...ofActions, ...targetWarnings(event, deps)];
    return warnings.length > 0 ? { warnings } : {};
  },
});

/** Connected servers among the targets that lack the built-in plugin. */
function targetWarnings(
  { plugin: id, targets }: Event,
  { definitions, servers }: Pick<Deps, "definitions" | "servers">,
): string[] {
  const plugin = definitions.get(pluginRecords, id);
  const named = resolveTargets(targets, servers.everywhere());
  const lacking = named.filter((server) => lacksBuiltIn(server, plugin?.command));
  if (!plugin || lacking.length === 0) return [];
  const names = lacking.slice(0, MAX_NAMED).map(({ title, hostname }) => title || hostname);
  const rest = lacking.length > names.length ? ` and ${lacking.length - names.length} more` : "";
  const none = lacking.length === named.length ? " No server that is connected now can run it." : "";
  return [
    `Targets: ${plugin.title} does not run on ${names.join(", ")}${rest}: ${plugin.command} is missing there.${none}`,
  ];
}

const MAX_NAMED = 10;
