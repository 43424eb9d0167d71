import type { Field } from "../../../directory/plugins/model.ts";
import { pluginRecords } from "../../../directory/plugins/records.ts";
import {
  forceLocked,
  isReservedOverride,
  type TestPattern,
  valueText,
  withDefaults,
} from "../../../directory/plugins/rules/parameters/fields.ts";
import { createValueCheck } from "../../../directory/plugins/rules/parameters/value-checks.ts";
import type { Actor } from "../../../kernel/calls/context.ts";
import { InputError } from "../../../kernel/errors/errors.ts";
import { createBreath } from "../../../kernel/running/breath.ts";
import { byId } from "../../../lib/by-id.ts";
import { membersOf } from "../../../lib/json/is-object.ts";
import { keptAmong } from "../../../lib/kept-among.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import {
  type ActionShapeOptions,
  actionFault,
  missingFault,
  referencedIds,
  whereOfAction,
} from "../../../wire/entries/action-shape.ts";
import type { Action } from "../../../wire/entries/actions-and-limits.ts";
import { eventCollection } from "../collection.ts";
import type { Event } from "../model.ts";

type Members = Readonly<Record<string, unknown>>;

/** Who writes actions, and the transaction that sees what they name. */
export interface Writer {
  readonly actor: Pick<Actor, "privileges">;
  readonly tx: ReadTx;
}

interface Asked {
  readonly actions: readonly Action[];
  /** The event that has the actions; they may start it. */
  readonly own?: Event;
  /** Stored actions pass unchecked: what they name may be gone by now, or need other parameters; then they fail when they run. */
  readonly stored?: readonly Action[] | undefined;
}

interface Means {
  readonly clock: Clock;
  readonly known: ActionShapeOptions;
  readonly testPattern: TestPattern;
}

/** The text that follows "Malformed action entry #n". */
type Check = (action: Action) => string | undefined;

/**
 * Checks that the events, plugins and plugin types that actions name exist, and that the parameters fit them
 * (docs/contract/actions.md#faults). Throws `InputError`.
 */
export async function checkActionTargets({ actor, tx }: Writer, { actions, own, stored = [] }: Asked, means: Means) {
  const breathe = createBreath(means.clock);
  const isKept = await keptAmong(stored, breathe);
  const added: [number, Action][] = [];
  for (const entry of actions.entries()) {
    await breathe();
    if (!isKept(entry[1])) added.push(entry);
  }
  const mayUnlock = actor.privileges["admin"] === true;
  for (const check of await checksOf(tx, { added: added.map(([, action]) => action), own, stored, mayUnlock }, means))
    for (const [index, action] of added) {
      await breathe();
      const fault = check(action);
      if (fault !== undefined) throw new InputError(`${whereOfAction(index)}${fault}`);
    }
}

const NO_VALUES: Members = {};
const NO_FIELDS: readonly Field[] = [];

interface Added {
  readonly added: readonly Action[];
  readonly own: Event | undefined;
  readonly stored: readonly Action[];
  /** The writer may choose the values of locked parameters. */
  readonly mayUnlock: boolean;
}

/** The checks in order: malformed actions first, then missing records, then parameters that do not fit. */
async function checksOf(
  tx: ReadTx,
  { added, own, stored, mayUnlock }: Added,
  { known, testPattern }: Means,
): Promise<readonly Check[]> {
  const { events, plugins } = referencedIds(added);
  const found = await tx.collection(eventCollection).getMany(idsOf(events));
  const loaded = await tx.collection(pluginRecords).getMany(idsOf(plugins));
  const started = byId([...found, own]);
  const programs = byId(loaded.filter((plugin) => plugin?.type === "action"));
  const reserved = new Map(
    [...started].map(([id, { params }]) => [id, Object.keys(membersOf(params)).find(isReservedOverride)]),
  );
  const valueFault = createValueCheck({ testPattern, fill: withDefaults });
  const targetOf = (action: Action) => {
    const event = action.type === "run_event" ? started.get(String(action["event_id"])) : undefined;
    const plugin = action.type === "plugin" ? programs.get(String(action["plugin_id"])) : undefined;
    return { event, fields: event?.fields ?? plugin?.params ?? NO_FIELDS };
  };
  return [
    (action) => actionFault(action, known),
    (action) => missingFault(action, { event: (id) => started.has(id), plugin: (id) => programs.has(id) }),
    (action) => {
      const { event, fields } = targetOf(action);
      const odd = event && reserved.get(event.id);
      if (odd !== undefined) return `: Invalid parameter ID: ${odd} (reserved)`;
      const fault = valueFault(fields, event?.params ?? NO_VALUES, membersOf(action["params"]));
      return fault && `: ${valueText(fault)}`;
    },
    (action) => (mayUnlock ? undefined : unlockedFault(action, { ...targetOf(action), stored })),
  ];
}

/** Without duplicates, because each requested id is read and parsed again. */
const idsOf = (named: readonly { readonly id: string }[]): string[] => [...new Set(named.map(({ id }) => id))];

interface Locks {
  readonly fields: readonly Field[];
  /** The event that the action starts. */
  readonly event: { readonly params?: Members | null | undefined } | undefined;
  readonly stored: readonly Action[];
}

/** Refuses an action that chooses a value for a locked parameter which neither its target nor a stored action has. */
function unlockedFault(action: Action, { fields, event, stored }: Locks): string | undefined {
  const sent = membersOf(action["params"]);
  const alike = stored.filter(({ type, event_id: id, plugin_id: plugin }) => {
    return type === action.type && id === action["event_id"] && plugin === action["plugin_id"];
  });
  const allowed = [
    forceLocked(fields, sent, event?.params ?? undefined),
    ...alike.map(({ params }) => membersOf(params)),
  ];
  const isChosen = ({ id, locked }: Field): boolean => {
    const value = JSON.stringify(sent[id]);
    return Boolean(locked) && value !== undefined && allowed.every((values) => JSON.stringify(values[id]) !== value);
  };
  const field = fields.find(isChosen);
  return field && `: Parameter '${field.id}' is locked: only administrators may choose its value.`;
}
