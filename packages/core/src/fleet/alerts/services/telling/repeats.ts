import type { Cradle } from "../../../../kernel/container.ts";
import { hasWord } from "../../../../search/ast.ts";
import { alertCollection, invocationCollection, stateCollection } from "../../collection.ts";
import type { AlertState } from "../../model.ts";
import { isRepeatDue } from "../../rules/telling/repeat.ts";
import { enqueueNotification } from "../evaluation/transitions.ts";

/** Queues repetitions of the actions of live invocations, as often as their definitions say; `now` is Unix seconds. */
export type RepeatAll = (now: number, signal: AbortSignal) => Promise<void>;

const PAGE = 200;
const REPEATED = { task: "repeated notices", noun: "Alert" };

type Deps = Pick<Cradle, "apart" | "definitions" | "snapshot" | "transact">;

export function createRepeats(deps: Deps): RepeatAll {
  const { definitions, snapshot } = deps;
  return async (now, signal) => {
    const repeating = definitions.all(alertCollection).filter(({ repeat_minutes }) => (repeat_minutes ?? 0) > 0);
    if (repeating.length === 0) return;
    const alerts = repeating.map(({ id }) => id);
    const where = hasWord("alert", alerts);
    for (let offset = 0; !signal.aborted; offset += PAGE) {
      const page = { sortBy: "id", offset, limit: PAGE };
      const due = await snapshot(async (tx) => {
        const { rows } = await tx.collection(stateCollection).find(where, page);
        const live = rows.filter(({ notified }) => notified);
        const found = await tx.collection(invocationCollection).getMany(live.map(({ invocation }) => invocation));
        return { isLast: rows.length < PAGE, states: live.filter((_state, at) => isDue(deps, found[at], now)) };
      });
      for (const state of due.states)
        await deps.apart.run({ ...REPEATED, id: state.invocation, signal }, () => repeatOne(deps, state, now));
      if (due.isLast) return;
    }
  };
}

type Found = Parameters<typeof isRepeatDue>[0] | undefined;
const isDue = ({ definitions }: Deps, invocation: (Found & { readonly alert: string }) | undefined, now: number) =>
  invocation !== undefined && isRepeatDue(invocation, definitions.get(alertCollection, invocation.alert), now);

/** Checks again inside the transaction: another leader or a clearing may have come first. */
async function repeatOne(deps: Deps, { invocation: id }: AlertState, now: number): Promise<void> {
  await deps.transact(async ({ tx }) => {
    const invocations = tx.collection(invocationCollection);
    const invocation = await invocations.get(id);
    if (!invocation || !isDue(deps, invocation, now)) return;
    const round = (invocation.repeats ?? 0) + 1;
    await invocations.update(id, (stored) => ({ ...stored, repeats: round, noticed: Math.floor(now) }));
    await enqueueNotification(tx, { invocation: id, condition: "alert_new", round });
  });
}
