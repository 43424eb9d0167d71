import type { Cradle } from "../../../kernel/container.ts";
import type { WorkHandler } from "../../../kernel/plugin.ts";
import type { WriteTx } from "../../../ports/storage.ts";
import { eventCollection } from "../../events/collection.ts";
import { groupCollection } from "../../groups/collection.ts";
import type { Action } from "../../jobs/model.ts";
import { hostCollection } from "../../servers/collection.ts";
import { alertCollection, invocationCollection } from "../collection.ts";
import { type Alert, type Invocation, Notification } from "../model.ts";
import { alertActions } from "../rules/actions.ts";
import { alertHookData, withHookText } from "../rules/hook-data.ts";
import type { Display } from "./display.ts";

/** The actions of one transition, and where they stand in the invocation's list. */
interface Plan {
  readonly alert: Alert;
  readonly invocation: Invocation;
  readonly positions: readonly number[];
}

/** Runs the actions of a transition. The list is stored before the first one runs, so a crash repeats unfinished ones only. */
export type Notify = (notification: Notification, signal: AbortSignal) => Promise<void>;

export function createNotify(cradle: Cradle, display: Display): Notify {
  const dataFor = createHookData(cradle, display);
  return async (notification, signal) => {
    const plan = await cradle.transact(({ tx }) => makePlan(tx, cradle, notification));
    if (!plan) return;
    const { invocation, positions } = plan;
    const saver = createSaver(cradle, invocation.id);
    await cradle.actionRunner.run({
      side: "alert",
      actions: positions.flatMap((position) => invocation.actions?.[position] ?? []),
      data: await dataFor(plan, notification),
      key: `${invocation.id}:${notification.condition}`,
      signal,
      onResult: (index, action) => saver.save(positions[index], action),
    });
    await saver.idle();
  };
}

async function makePlan(
  tx: WriteTx,
  cradle: Cradle,
  { invocation: id, condition }: Notification,
): Promise<Plan | undefined> {
  const { config, definitions, registry } = cradle;
  const invocations = tx.collection(invocationCollection);
  const invocation = await invocations.get(id);
  const alert = invocation && definitions.get(alertCollection, invocation.alert);
  // A deleted definition takes its waiting actions with it.
  if (!invocation || !alert) return undefined;
  const planned = positionsOf(invocation, condition);
  if (planned.length > 0) return { alert, invocation, positions: planned };
  const record = await tx.collection(hostCollection).get(invocation.server);
  const groups = (record?.groups ?? invocation.groups).flatMap(
    (group) => definitions.get(groupCollection, group) ?? [],
  );
  const targetOf = (action: Action): string | undefined => {
    const type = registry.actionTypes.get(action.type);
    return type?.applies.includes("alert") ? type.target(action) : undefined;
  };
  const actions = alertActions({ alert, groups, universal: config.alert_universal_actions, condition, targetOf });
  if (actions.length === 0) return undefined;
  const append = (current: Invocation): Invocation => ({
    ...current,
    actions: [...(current.actions ?? []), ...actions],
  });
  const stored = await invocations.update(id, append);
  return { alert, invocation: stored, positions: positionsOf(stored, condition) };
}

function createHookData(cradle: Cradle, display: Display) {
  const { config, definitions, expressions, snapshot } = cradle;
  const timeZone = config.tz === undefined ? {} : { timeZone: config.tz };
  const dates = new Intl.DateTimeFormat(config.locale, { dateStyle: "medium", timeStyle: "medium", ...timeZone });
  const eventTitle = (id: string): string | undefined => definitions.get(eventCollection, id)?.title;
  return ({ alert, invocation }: Plan, notification: Notification): Promise<Record<string, unknown>> =>
    snapshot(async (tx) => {
      const data = alertHookData({
        alert,
        invocation,
        notification,
        server: await cradle.servers.find(tx, invocation.server),
        record: await tx.collection(hostCollection).get(invocation.server),
        groups: definitions.all(groupCollection),
        baseUrl: config.base_app_url,
        clientConfig: config.client,
        emailFrom: config["email_from"],
        strip: display,
        formatDate: (seconds) => dates.format(seconds * 1000),
        eventTitle,
      });
      const template = config.hook_text_templates[notification.condition] ?? "";
      const text = expressions.compileTemplate(template).expand(data, { undefinedText: "n/a" });
      return withHookText(data, `${config.client.name} ${text}`);
    });
}

/** Stores results one after another, because they go into one record. */
function createSaver({ transact }: Pick<Cradle, "transact">, invocation: string) {
  let last: Promise<unknown> = Promise.resolve();
  return {
    async save(position: number | undefined, action: Action): Promise<void> {
      if (position === undefined) return;
      const saved = last.then(() =>
        transact(({ tx }) => tx.collection(invocationCollection).update(invocation, withAction(position, action))),
      );
      last = saved.catch(() => undefined);
      await saved;
    },
    idle: (): Promise<unknown> => last,
  };
}

function positionsOf({ actions = [] }: Invocation, condition: string): number[] {
  return actions.flatMap((action, index) => (action.condition === condition ? [index] : []));
}

const withAction =
  (position: number, action: Action) =>
  (invocation: Invocation): Invocation => ({
    ...invocation,
    actions: (invocation.actions ?? []).map((current, index) => (index === position ? action : current)),
  });

/** Queued work of kind "alerts.notify". */
export const notifyWorker: WorkHandler = (item, { alerts }, signal) =>
  alerts.notify(Notification.parse(item.payload), signal);
