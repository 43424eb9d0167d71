import { categoryFault } from "../../../directory/categories/records.ts";
import type { Field } from "../../../directory/plugins/model.ts";
import { pluginRecords } from "../../../directory/plugins/records.ts";
import { checkValues, isReservedOverride } from "../../../directory/plugins/rules/parameters/fields.ts";
import { findSlowPattern } from "../../../directory/plugins/rules/parameters/slow-pattern.ts";
import { tagRecords } from "../../../directory/tags/records.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { DomainError, InputError } from "../../../kernel/errors/errors.ts";
import type { HostEvent } from "../../../kernel/plugins/plugin.ts";
import { createBreath } from "../../../kernel/running/breath.ts";
import { pagesById } from "../../../kernel/searches/pages-by-id.ts";
import { keptAmong } from "../../../lib/kept-among.ts";
import { messageOf } from "../../../lib/message-of.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import type { Action } from "../../../wire/entries/actions-and-limits.ts";
import { eventCollection } from "../collection.ts";
import type { Event, Trigger } from "../model.ts";
import { usesCategory } from "../rules/category-use.ts";
import { checkEventShape } from "../rules/record/event-shape.ts";
import { expectFault } from "../rules/record/expect.ts";
import { readEvent } from "../rules/record/read.ts";
import { isFilled, paramsOf } from "../rules/triggers/normalise.ts";
import { whereOfTrigger } from "../rules/triggers/trigger-shape.ts";
import { checkActionTargets, type Writer } from "./action-targets.ts";
import { createSaveWarnings, type SaveWarnings } from "./save-warnings.ts";

/** Events that are read at a time. */
const PAGE = 50;

/** Checks of an event that read stored data or compile expressions; they run after the caller's rights have been checked. */
export interface EventChecks extends SaveWarnings {
  /**
   * Throws with the contract's text for the first fault of a whole event (docs/contract/events.md#writing). An unchanged stored
   * graph was checked when it was saved, and names that the stored event has as well may no longer exist.
   */
  check(by: Writer, event: Event, graph?: "stored" | "sent"): Promise<void>;
  /**
   * Throws `InputError` for the first action that names something that does not exist, or gives it parameters that it or its
   * writer refuses; absent = no actions. Actions that equal one in `stored` pass.
   */
  checkActions(
    by: Writer,
    actions: readonly Action[] | null | undefined,
    stored?: readonly Action[] | null,
  ): Promise<void>;
  /** True when an event is in the category, or runs a job in it. */
  isCategoryUsed(tx: ReadTx, category: string): Promise<boolean>;
  /** Throws when a value for one of the event's fields is refused; `where` begins the text. */
  checkFields(fields: readonly Field[], params: Readonly<Record<string, unknown>>, where: string): void;
  /** Throws `InputError` for parameters that the schema of an event in code refuses. Macros are not expanded yet. */
  checkHostParams(event: string, params: Readonly<Record<string, unknown>>): void;
  /** Parameter definitions of a plugin; empty for plugins of the engine itself. */
  pluginParams(tx: ReadTx, plugin: string): Promise<readonly Field[]>;
}

type Deps = Pick<
  Cradle,
  "clock" | "definitions" | "expressions" | "graphs" | "jobs" | "registry" | "servers" | "tickets"
>;

function checkShape(event: Parameters<EventChecks["check"]>[1]): void {
  const fault = checkEventShape(event, { sparse: false });
  if (fault !== undefined) throw new InputError(fault);
  const unexpected = expectFault(event.expect);
  if (unexpected !== undefined) throw new DomainError("event", "malformed", unexpected);
}

/** Tests the speed of patterns. That takes time, so it runs after the check of the caller's rights. */
function checkPatterns({ fields }: Event, stored: Event | undefined, { regexes }: Deps["expressions"]): void {
  const fault = findSlowPattern(fields, stored?.fields ?? [], regexes.check);
  if (fault) throw new InputError(`Malformed user field '${fault.id}': ${fault.reason}`);
}

function checkExpression(expressions: Deps["expressions"], source: unknown): void {
  if (typeof source !== "string" || source.trim() === "") return;
  try {
    expressions.compile(source);
  } catch (error) {
    throw new InputError(`Failed to compile target expression: ${source}: ${messageOf(error)}`, { cause: error });
  }
}

export function createEventChecks(deps: Deps): EventChecks {
  const { expressions, registry } = deps;
  const testPattern = (pattern: string, text: string): boolean => expressions.regexes.compile(pattern).test(text);
  const checkFields: EventChecks["checkFields"] = (fields, params, where) => {
    const reserved = Object.keys(params).find(isReservedOverride);
    if (reserved !== undefined) throw new InputError(`${where}: Invalid parameter ID: ${reserved} (reserved)`);
    const fault = checkValues(fields, params, testPattern);
    if (fault !== undefined) throw new InputError(`${where}: ${fault}`);
  };
  const known = { types: registry.actionTypes, ticketFault: (type: unknown) => deps.tickets.faultOfType(type) };
  const means = { known, testPattern, clock: deps.clock };
  return {
    checkFields,
    pluginParams,
    isCategoryUsed: (tx, id) => isCategoryUsed(tx, deps.clock, id),
    ...createSaveWarnings(deps),
    checkHostParams: (id, params) => checkHostParams(registry.hostEvents.get(id), params),
    checkActions: (by, actions, stored) =>
      checkActionTargets(by, { actions: actions ?? [], stored: stored ?? [] }, means),
    async check(by, event, graph = "sent") {
      const { tx } = by;
      checkShape(event);
      const known = await tx.collection(eventCollection).get(event.id);
      const stored = known && readEvent(known);
      checkPatterns(event, stored, expressions);
      const added = await addedTriggers(event, stored);
      await checkReferences(tx, { event, stored, added });
      checkExpression(expressions, event.expression);
      const definitions = await pluginParams(tx, event.plugin);
      checkFields(definitions, event.params, "Event Plugin");
      checkLockedIds(event.fields, definitions);
      await checkTriggers(tx, { event, stored, added }, checkFields);
      await checkActionTargets(by, { actions: event.actions, own: event, stored: stored?.actions }, means);
      if (graph === "sent") await deps.graphs.check(tx, event, stored);
    },
  };
}

function checkHostParams(event: HostEvent | undefined, params: Readonly<Record<string, unknown>>): void {
  if (!event?.paramsFault || JSON.stringify(params).includes("{{")) return;
  const fault = event.paramsFault(params);
  if (fault !== undefined) throw new InputError(fault);
}

async function pluginParams(tx: ReadTx, plugin: string): Promise<readonly Field[]> {
  // Such an id belongs to the engine itself, not to a stored plugin.
  if (plugin.startsWith("_")) return [];
  return (await tx.collection(pluginRecords).get(plugin))?.params ?? [];
}

/** Triggers that the stored event does not have. There are few, so comparing their texts needs no yielding. */
async function addedTriggers({ triggers }: Event, stored: Event | undefined): Promise<(readonly [number, Trigger])[]> {
  const isKept = await keptAmong(stored?.triggers ?? [], () => Promise.resolve());
  return [...triggers.entries()].filter(([, trigger]) => !isKept(trigger));
}

interface Written {
  readonly event: Event;
  readonly stored: Event | undefined;
  readonly added: readonly (readonly [number, Trigger])[];
}

/** Skips names that the stored event has as well: if they no longer exist, an update of other members must not fail. */
async function checkReferences(tx: ReadTx, { event, stored, added }: Written): Promise<void> {
  const missing = await categoryFault(tx, event.category);
  if (missing) throw new InputError(missing);
  const { plugin } = event;
  const plugins = tx.collection(pluginRecords);
  if (plugin !== stored?.plugin && !plugin.startsWith("_") && !(await plugins.get(plugin)))
    throw new InputError(`Plugin not found: ${plugin}`);
  const kept = new Set(stored?.tags);
  const tags = event.tags?.filter((id) => !kept.has(id)) ?? [];
  const found = tags.length === 0 ? [] : await tx.collection(tagRecords).getMany(tags);
  const unknown = tags.find((_id, index) => !found[index]);
  if (unknown !== undefined) throw new InputError(`Unknown tag: ${unknown}`);
  for (const [index, { type, plugin_id: id }] of added)
    if (type === "plugin" && (await plugins.get(String(id)))?.type !== "scheduler")
      throw new InputError(`${whereOfTrigger(index)}: Scheduler Plugin not found: ${id}`);
}

async function checkTriggers(tx: ReadTx, { event, added }: Written, checkFields: EventChecks["checkFields"]) {
  for (const [index, trigger] of event.triggers.entries())
    if (isFilled(trigger)) checkFields(event.fields, paramsOf(trigger), whereOfTrigger(index));
  for (const [index, trigger] of added)
    if (trigger.type === "plugin") {
      const wanted = await pluginParams(tx, String(trigger["plugin_id"]));
      checkFields(wanted, paramsOf(trigger), whereOfTrigger(index));
    }
}

/**
 * Reads the storage, since another node may have just stored an event; in pages, since there may be thousands of large ones.
 */
async function isCategoryUsed(tx: ReadTx, clock: Clock, id: string): Promise<boolean> {
  const breathe = createBreath(clock);
  for await (const events of pagesById((work) => work(tx), eventCollection, { size: PAGE })) {
    if (events.some((event) => usesCategory(readEvent(event), id))) return true;
    await breathe();
  }
  return false;
}

function checkLockedIds(fields: readonly Field[], definitions: readonly Field[]): void {
  const locked = new Set(definitions.filter((definition) => definition.locked).map(({ id }) => id));
  const clash = fields.find(({ id }) => locked.has(id));
  if (clash) throw new InputError(`Malformed user field '${clash.id}': Invalid parameter ID: ${clash.id} (locked)`);
}
