import type { Cradle } from "../../../../kernel/container.ts";
import type { WorkHandler } from "../../../../kernel/plugins/plugin.ts";
import { createTurns } from "../../../../lib/turns/turns.ts";
import type { Action } from "../../../../wire/entries/actions-and-limits.ts";
import { invocationCollection } from "../../collection.ts";
import { type Invocation, Notification } from "../../model.ts";
import { positionsOf } from "../../rules/telling/suppression.ts";
import { keyOf } from "../evaluation/transitions.ts";
import type { AlertData } from "../shown/alert-data.ts";
import { presentInvocation } from "../shown/overlay.ts";
import { makePlan } from "./plan.ts";

/**
 * Runs the actions of a transition. Stores the list before the first one runs, so that after a crash only unfinished
 * actions run again.
 */
export type Notify = (notification: Notification, signal: AbortSignal) => Promise<void>;

type Deps = Pick<
  Cradle,
  | "actionRunner"
  | "checks"
  | "clock"
  | "config"
  | "definitions"
  | "registry"
  | "servers"
  | "silences"
  | "state"
  | "transact"
>;

export function createNotify(deps: Deps, dataFor: AlertData): Notify {
  return async (notification, signal) => {
    const plan = await deps.transact(async ({ tx }) => {
      const made = await makePlan(tx, deps, notification);
      return made && { ...made, invocation: await presentInvocation(tx, made.invocation) };
    });
    if (!plan) return;
    const saver = createSaver(deps, notification);
    await deps.actionRunner.run({
      side: "alert",
      actions: plan.actions,
      data: await dataFor(plan, notification),
      key: keyOf(notification),
      signal,
      onResult: saver.save,
    });
    await saver.idle();
  };
}

/** Stores results one after another, because they all go into one record. */
function createSaver({ transact }: Pick<Cradle, "transact">, notification: Notification) {
  const turns = createTurns();
  return {
    save: (index: number, action: Action): Promise<void> =>
      turns.run(() =>
        transact(async ({ tx }) => {
          const invocations = tx.collection(invocationCollection);
          // A caller may have deleted the invocation while its actions ran.
          if (!(await invocations.get(notification.invocation))) return;
          await invocations.update(notification.invocation, withResult(notification, index, action));
        }),
      ),
    idle: turns.idle,
  };
}

/** Looks the index up again: another repetition may have begun since the list was stored, and moved the actions. */
const withResult =
  (notification: Notification, index: number, action: Action) =>
  (invocation: Invocation): Invocation => {
    const position = positionsOf(invocation, notification)[index];
    const actions = (invocation.actions ?? []).map((current, at) => (at === position ? action : current));
    return { ...invocation, actions };
  };

/** Queued work of kind "alerts.notify". */
export const notifyWorker: WorkHandler = (item, { alerts }, signal) =>
  alerts.notify(Notification.parse(item.payload), signal);
