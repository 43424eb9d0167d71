import { pluginRecords } from "../../../directory/plugins/records.ts";
import {
  isReservedOverride,
  type TestPattern,
  valueText,
  withDefaults,
} from "../../../directory/plugins/rules/parameters/fields.ts";
import { createValueCheck } from "../../../directory/plugins/rules/parameters/value-checks.ts";
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
export async function checkActionTargets(tx: ReadTx, { actions, own, stored = [] }: Asked, means: Means) {
  const breathe = createBreath(means.clock);
  const isKept = await keptAmong(stored, breathe);
  const added: [number, Action][] = [];
  for (const entry of actions.entries()) {
    await breathe();
    if (!isKept(entry[1])) added.push(entry);
  }
  for (const check of await checksOf(tx, { added: added.map(([, action]) => action), own }, means))
    for (const [index, action] of added) {
      await breathe();
      const fault = check(action);
      if (fault !== undefined) throw new InputError(`${whereOfAction(index)}${fault}`);
    }
}

const NO_VALUES: Readonly<Record<string, unknown>> = {};

interface Added {
  readonly added: readonly Action[];
  readonly own: Event | undefined;
}

/** The checks in order: malformed actions first, then missing records, then parameters that do not fit. */
async function checksOf(tx: ReadTx, { added, own }: Added, { known, testPattern }: Means): Promise<readonly Check[]> {
  const { events, plugins } = referencedIds(added);
  const found = await tx.collection(eventCollection).getMany(idsOf(events));
  const loaded = await tx.collection(pluginRecords).getMany(idsOf(plugins));
  const started = byId([...found, own]);
  const programs = byId(loaded.filter((plugin) => plugin?.type === "action"));
  const reserved = new Map(
    [...started].map(([id, { params }]) => [id, Object.keys(membersOf(params)).find(isReservedOverride)]),
  );
  const valueFault = createValueCheck({ testPattern, fill: withDefaults });
  return [
    (action) => actionFault(action, known),
    (action) => missingFault(action, { event: (id) => started.has(id), plugin: (id) => programs.has(id) }),
    (action) => {
      const event = action.type === "run_event" ? started.get(String(action["event_id"])) : undefined;
      const plugin = action.type === "plugin" ? programs.get(String(action["plugin_id"])) : undefined;
      const fields = event?.fields ?? plugin?.params ?? undefined;
      const odd = event && reserved.get(event.id);
      if (odd !== undefined) return `: Invalid parameter ID: ${odd} (reserved)`;
      const fault = fields && valueFault(fields, event?.params ?? NO_VALUES, membersOf(action["params"]));
      return fault && `: ${valueText(fault)}`;
    },
  ];
}

/** Without duplicates, because each requested id is read and parsed again. */
const idsOf = (named: readonly { readonly id: string }[]): string[] => [...new Set(named.map(({ id }) => id))];
