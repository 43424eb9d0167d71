import type { Field } from "../../../directory/plugins/model.ts";
import { pluginRecords } from "../../../directory/plugins/records.ts";
import { withDefaults } from "../../../directory/plugins/rules/parameters/fields.ts";
import { InputError } from "../../../kernel/errors/errors.ts";
import { createBreath } from "../../../kernel/running/breath.ts";
import { membersOf } from "../../../lib/json/is-object.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import {
  type ActionShapeOptions,
  checkActions,
  findMissing,
  referencedIds,
  whereOfAction,
} from "../../../wire/entries/action-shape.ts";
import type { Action } from "../../../wire/entries/actions-and-limits.ts";
import { areSame } from "../../../wire/params-version.ts";
import { eventCollection } from "../collection.ts";
import type { Event } from "../model.ts";

interface Asked {
  readonly actions: readonly Action[];
  /** The event that has the actions: it may start itself. */
  readonly own?: Event;
  /** Actions as they are stored: an event or plugin may ask for other parameters by now, and its action fails when it runs. */
  readonly stored?: readonly Action[];
}

interface Means {
  readonly clock: Clock;
  readonly known: ActionShapeOptions;
  /** Throws for the first value that its definition refuses. */
  checkFields(fields: readonly Field[], params: Readonly<Record<string, unknown>>, where: string): void;
}

/**
 * Events and plugins that actions name must exist, and so must the types that plugins bring; parameters must fit them
 * (docs/contract/actions.md#faults). Throws `InputError`.
 */
export async function checkActionTargets(tx: ReadTx, { actions, own, stored = [] }: Asked, means: Means) {
  const { events, plugins } = referencedIds(actions);
  const found = await tx.collection(eventCollection).getMany(idsOf(events));
  const loaded = await tx.collection(pluginRecords).getMany(idsOf(plugins));
  const started = byId([...found, own]);
  const programs = byId(loaded.filter((plugin) => plugin?.type === "action"));
  const fault =
    checkActions(actions, means.known) ??
    findMissing(actions, { event: (id) => started.has(id), plugin: (id) => programs.has(id) });
  if (fault !== undefined) throw new InputError(fault);
  // The end of the engine is not waited for here: a call ends by itself.
  const breathe = createBreath(means.clock, new AbortController().signal);
  for (const [index, action] of actions.entries()) {
    await breathe();
    if (stored.some((kept) => areSame(kept, action))) continue;
    const event = action.type === "run_event" ? started.get(String(action["event_id"])) : undefined;
    const plugin = action.type === "plugin" ? programs.get(String(action["plugin_id"])) : undefined;
    const fields = event?.fields ?? plugin?.params ?? [];
    const values = withDefaults(fields, { ...event?.params, ...membersOf(action["params"]) });
    means.checkFields(fields, values, whereOfAction(index));
  }
}

/** Each once: a record is read and parsed as often as it is asked for. */
const idsOf = (named: readonly { readonly id: string }[]): string[] => [...new Set(named.map(({ id }) => id))];

const byId = <T extends { readonly id: string }>(records: readonly (T | undefined)[]): ReadonlyMap<string, T> =>
  new Map(records.flatMap((record) => (record ? [[record.id, record] as const] : [])));
