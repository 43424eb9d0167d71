import type { Cradle } from "../../../kernel/container.ts";
import type { WorkHandler } from "../../../kernel/plugin.ts";
import type { ReadTx, WriteTx } from "../../../ports/storage.ts";
import { groupCollection } from "../../groups/collection.ts";
import type { Action } from "../../jobs/model.ts";
import type { SilencedBy } from "../../silences/model.ts";
import { alertCollection, invocationCollection } from "../collection.ts";
import { type Alert, type Condition, type Invocation, Notification } from "../model.ts";
import { alertActions, alertTarget } from "../rules/actions.ts";
import { acknowledgementOf, noteSuppressed, positionsOf, withPlannedActions } from "../rules/suppression.ts";
import type { AlertData } from "./alert-data.ts";
import { keyOf } from "./transitions.ts";

/** The actions of one transition or repetition. */
interface Plan {
  readonly alert: Alert;
  readonly invocation: Invocation;
  readonly actions: readonly Action[];
}

/** Runs the actions of a transition. The list is stored before the first one runs, so a crash repeats unfinished ones only. */
export type Notify = (notification: Notification, signal: AbortSignal) => Promise<void>;

export function createNotify(cradle: Cradle, dataFor: AlertData): Notify {
  return async (notification, signal) => {
    const plan = await cradle.transact(({ tx }) => makePlan(tx, cradle, notification));
    if (!plan) return;
    const saver = createSaver(cradle, notification);
    await cradle.actionRunner.run({
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

async function makePlan(tx: WriteTx, cradle: Cradle, notification: Notification): Promise<Plan | undefined> {
  const { definitions, clock } = cradle;
  const { invocation: id, condition, round } = notification;
  const invocations = tx.collection(invocationCollection);
  const invocation = await invocations.get(id);
  const alert = invocation && definitions.get(alertCollection, invocation.alert);
  // A deleted definition takes its waiting actions with it.
  if (!invocation || !alert) return undefined;
  // It ended while the repetition waited.
  if (round !== undefined && !invocation.active) return undefined;
  const begun = actionsOf(invocation, notification);
  if (begun.length > 0) return { alert, invocation, actions: begun };
  const record = await cradle.servers.hostRecord(tx, invocation.server);
  const groups = record?.groups ?? invocation.groups;
  const actions = dueActions(cradle, { alert, groups, condition });
  if (actions.length === 0) return undefined;
  const by = await findQuiet(tx, cradle, { alert, invocation, groups, condition });
  if (by) {
    const date = Math.floor(clock.now());
    await invocations.update(id, (current) => noteSuppressed(current, { condition, date, by }));
    return undefined;
  }
  const stored = await invocations.update(id, (current) => withPlannedActions(current, actions, round));
  return { alert, invocation: stored, actions: actionsOf(stored, notification) };
}

const actionsOf = (invocation: Invocation, notification: Notification): Action[] =>
  positionsOf(invocation, notification).flatMap((position) => invocation.actions?.[position] ?? []);

interface Facts {
  readonly alert: Alert;
  /** Of the server, now. */
  readonly groups: readonly string[];
  readonly condition: Condition;
}

function dueActions({ config, definitions, registry }: Cradle, { alert, groups, condition }: Facts): Action[] {
  return alertActions({
    alert,
    groups: groups.flatMap((group) => definitions.get(groupCollection, group) ?? []),
    universal: config.alert_universal_actions,
    condition,
    targetOf: (action) => alertTarget(action, registry.actionTypes.get(action.type)),
  });
}

/** What keeps the actions back at this moment; undefined = nothing. */
export async function findQuiet(
  tx: ReadTx,
  { clock, silences, state }: Pick<Cradle, "clock" | "silences" | "state">,
  { alert, invocation, groups, condition }: Facts & { readonly invocation: Invocation },
): Promise<SilencedBy | undefined> {
  const acknowledged = acknowledgementOf(invocation, condition);
  if (acknowledged) return acknowledged;
  const snooze = state.get("alert_snooze");
  if (typeof snooze === "number" && snooze > clock.now())
    return { kind: "snooze", id: "alert_snooze", title: "Snooze" };
  return silences.find(tx, { server: invocation.server, groups, alert: alert.id, tags: alert.tags ?? [] });
}

/** Stores results one after another, because they go into one record. */
function createSaver({ transact }: Pick<Cradle, "transact">, notification: Notification) {
  let last: Promise<unknown> = Promise.resolve();
  return {
    async save(index: number, action: Action): Promise<void> {
      const saved = last.then(() =>
        transact(async ({ tx }) => {
          const invocations = tx.collection(invocationCollection);
          // Somebody may have deleted it while its actions ran.
          if (!(await invocations.get(notification.invocation))) return;
          await invocations.update(notification.invocation, withResult(notification, index, action));
        }),
      );
      last = saved.catch(() => undefined);
      await saved;
    },
    idle: (): Promise<unknown> => last,
  };
}

/** Places may have moved since the list was stored: another repetition may have begun meanwhile. */
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
