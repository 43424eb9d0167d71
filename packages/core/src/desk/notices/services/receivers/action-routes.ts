import { channelRecords } from "../../../../directory/channels/records.ts";
import { webHookRecords } from "../../../../directory/web-hooks/records.ts";
import type { Alert, Invocation } from "../../../../fleet/alerts/model.ts";
import type { ActionTarget } from "../../../../fleet/alerts/rules/telling/by-problem.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import { textsOf } from "../../../../lib/text/text-of.ts";
import type { Action } from "../../../../wire/entries/actions-and-limits.ts";
import type { Problem, Receiver, Route } from "../../model.ts";
import { newRoute } from "../../rules/records/records.ts";

/** Author of routes and receivers that have no record because they stand for actions. */
export const ACTIONS = "actions";

type Deps = Pick<Cradle, "alerts" | "definitions">;

/** Title of an action's target. */
export function actionTitle({ definitions }: Pick<Deps, "definitions">, action: Action): string {
  const { type, email, users, channel_id, web_hook } = action as Action & Readonly<Record<string, unknown>>;
  if (type === "channel") return definitions.get(channelRecords, String(channel_id))?.title ?? String(channel_id);
  if (type === "web_hook") return definitions.get(webHookRecords, String(web_hook))?.title ?? String(web_hook);
  return [String(email ?? ""), ...textsOf(users)].filter((each) => each !== "").join(", ");
}

/** The receiver that an action stands for. */
export function actionReceiver(deps: Pick<Deps, "definitions">, id: string, action: Action): Receiver {
  const { email, users, channel_id, web_hook } = action as Action & Readonly<Record<string, unknown>>;
  const shared = { id, title: actionTitle(deps, action), enabled: true, max_per_hour: 0 };
  const stamps = { username: ACTIONS, created: 0, modified: 0, revision: 0 };
  if (action.type === "channel") return { ...shared, ...stamps, type: "channel", channel: String(channel_id) };
  if (action.type === "web_hook") return { ...shared, ...stamps, type: "web_hook", web_hook: String(web_hook) };
  return { ...shared, ...stamps, type: "mail", email: String(email ?? ""), users: textsOf(users) };
}

/** The route that an action stands for: its only receiver is the action's target, and all firings of the alert share notices. */
export const actionRoute = (id: string, title: string, { repeat_minutes }: Alert): Route =>
  newRoute(
    { title, continue: true, repeat_interval: (repeat_minutes ?? 0) * 60, steps: [{ after: 0, to: [id] }] },
    { id, username: ACTIONS, now: 0 },
    0,
  );

/**
 * The route of a problem that actions report, by the current definitions; undefined = actions do not report it, or its alert is
 * gone.
 */
export function actionRouteOf({ alerts }: Pick<Deps, "alerts">, { route, title, members }: Problem): Route | undefined {
  const alert = title === undefined ? undefined : alerts.definition(members[0]?.alert ?? "");
  return alert && actionRoute(route, title ?? "", alert);
}

/** The target of a problem, if actions currently notify it of the firing. */
export const targetIn = (
  { alerts }: Pick<Deps, "alerts">,
  { route }: Pick<Problem, "route">,
  invocation: Invocation,
): ActionTarget | undefined => alerts.byProblem.of(invocation).find(({ id }) => id === route);
