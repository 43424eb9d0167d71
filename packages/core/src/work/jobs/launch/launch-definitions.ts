import type { Category } from "../../../directory/categories/model.ts";
import { categoryRecords } from "../../../directory/categories/records.ts";
import type { PluginRecord } from "../../../directory/plugins/model.ts";
import { pluginRecords } from "../../../directory/plugins/records.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import { definitionsView } from "../../../kernel/transactions/unit-scope.ts";
import type { ReadTx, WriteTx } from "../../../ports/storage/storage.ts";
import type { Action, Limit } from "../../../wire/entries/actions-and-limits.ts";
import type { Event } from "../../events/model.ts";
import { mergeActions } from "../actions/rules/actions.ts";
import { mergeLimits } from "../limits/rules/limits.ts";
import type { LaunchPlan } from "./launch-steps.ts";

export const refuse = (text: string): DomainError => new DomainError("job", "conflict", text);

/** The records from which a job is launched. */
export interface Definitions {
  readonly event: Event;
  readonly category: Category;
  /** Absent for events whose work is a function of the host. */
  readonly plugin: PluginRecord | undefined;
}

/**
 * The definitions of a launch; throws when event, category or plugin must not run (docs/contract/jobs.md#launch). A test run may
 * use disabled events and plugins, but never a disabled category.
 */
export async function requireDefinitions(
  { eventRecords }: Pick<Cradle, "eventRecords">,
  tx: WriteTx,
  { event, overrides, test }: LaunchPlan,
): Promise<Definitions> {
  const known = definitionsView(tx);
  // A job of a job node belongs to a workflow run that has already been checked.
  const isPart = event.type === "adhoc";
  const stored = isPart ? eventRecords.get(event.id) : await eventRecords.fresh(tx, event.id);
  if (!stored) throw refuse(`Event not found: ${event.id}`);
  const categoryId = String(event["category"] ?? "");
  const category = await known.collection(categoryRecords).get(categoryId);
  if (!category) throw refuse(`Category not found: ${categoryId}`);
  const plugin = await findPlugin(known, String(overrides["plugin"] ?? event["plugin"] ?? ""));
  if (!stored["enabled"] && !test.on && !isPart) throw refuse(`Event is disabled: ${stored.title}`);
  if (!category.enabled) throw refuse(`Category is disabled: ${category.title}`);
  if (plugin && !plugin.enabled && !test.on) throw refuse(`Plugin is disabled: ${plugin.title}`);
  return { event: stored, category, plugin };
}

/** Plugins of the engine itself have no record. */
async function findPlugin(known: ReadTx, id: string): Promise<PluginRecord | undefined> {
  if (id.startsWith("_")) return undefined;
  const plugin = await known.collection(pluginRecords).get(id);
  if (!plugin) throw refuse(`Plugin not found: ${id}`);
  return plugin;
}

export interface Lists {
  readonly actions: Action[];
  readonly limits: Limit[];
}

/** Event, then category, then configuration (docs/contract/categories.md#merging). */
export function mergeDefaults(
  { job_universal_actions, job_universal_limits }: Cradle["config"],
  plan: LaunchPlan,
  category: Category,
): Lists {
  const { test } = plan;
  const kind = plan.event.type === "workflow" ? "workflow" : "default";
  const withActions = !test.on || test.actions;
  const withLimits = !test.on || test.limits;
  return {
    actions: mergeActions([
      { actions: plan.actions },
      { source: "category", actions: withActions ? (category.actions ?? []) : [] },
      { source: "universal", actions: withActions ? job_universal_actions[kind] : [] },
    ]),
    limits: mergeLimits([
      { limits: plan.limits },
      { source: "category", limits: withLimits ? (category.limits ?? []) : [] },
      { source: "universal", limits: withLimits ? job_universal_limits[kind] : [] },
    ]),
  };
}
