import { sha256Hex } from "../../../../lib/secrecy/hash.ts";
import type { Action } from "../../../../wire/entries/actions-and-limits.ts";
import type { Invocation } from "../../model.ts";
import { mayHaveTold } from "./telling.ts";

/** State key. The first start of a newer version sets it in installations that are older than notices. */
export const HOOKS_PER_SUBJECT = "notices.hooks_per_subject";
/**
 * State key. Says whether each firing opens a new ticket when its action does not say; absent = same as
 * `HOOKS_PER_SUBJECT`.
 */
export const TICKETS_ANEW = "notices.tickets_anew";

/** Settings for notifying actions (docs/contract/alerts.md#by-problem). */
export interface Grouping {
  /** True = mails and channels notify about all servers of a problem at once. */
  readonly isOn: boolean;
  /** True in older installations, where web hooks fire once per server unless the action says otherwise. */
  readonly hooksPerSubject: boolean;
}

/** True when an action notifies once per problem instead of once per server. */
export function isByProblem({ type, per }: Action, { isOn, hooksPerSubject }: Grouping): boolean {
  if (!isOn || per === "subject") return false;
  if (type === "web_hook") return per === "problem" || !hooksPerSubject;
  return type === "email" || type === "channel";
}

/** Target of actions by problem, with one action for the firing and one for the end. */
export interface ActionTarget {
  readonly id: string;
  /** Undefined = notified only of ends. */
  readonly fires: Action | undefined;
  /** Undefined = not notified of ends. */
  readonly ends: Action | undefined;
}

/** Id of a target in problems and notices. Actions that reach the same addresses share one id. */
export const targetId = (action: Action): string =>
  `ac${sha256Hex(JSON.stringify([action.type, ...aimOf(action)])).slice(0, 16)}`;

function aimOf(action: Action): readonly unknown[] {
  const { type, email, users, channel_id, web_hook } = action as Action & Readonly<Record<string, unknown>>;
  if (type === "email") return [wordsOf(String(email ?? "").split(",")), wordsOf(users)];
  return [type === "channel" ? channel_id : web_hook];
}

/** Normalises a list: order, case and repetition make no difference. */
const wordsOf = (value: unknown): string[] =>
  Array.isArray(value)
    ? [...new Set(value.map((each) => String(each).trim().toLowerCase()))].filter((word) => word !== "").toSorted()
    : [];

/** The targets of the actions that are due at a firing and at its end. */
export function actionTargets(fires: readonly Action[], ends: readonly Action[], grouping: Grouping): ActionTarget[] {
  const byId = (actions: readonly Action[]): Map<string, Action> =>
    new Map(
      actions
        .filter((action) => isByProblem(action, grouping))
        .toReversed()
        .map((action) => [targetId(action), action]),
    );
  const [first, last] = [byId(fires), byId(ends)];
  return [...new Set([...first.keys(), ...last.keys()])].map((id) => ({
    id,
    fires: first.get(id),
    ends: last.get(id),
  }));
}

/** Notifications about a firing that a target received for the server alone. Times are Unix seconds. */
export interface ToldAlone {
  readonly first: number;
  readonly last: number;
  readonly count: number;
}

/** Counts results of per-server actions towards the problem; undefined = the target was not notified. */
export function toldAlone({ actions = [], fired, date }: Invocation, target: string): ToldAlone | undefined {
  const told = actions.filter(
    (action) =>
      action.condition === "alert_new" &&
      action["notice"] === undefined &&
      isMail(action) &&
      mayHaveTold(action) &&
      targetId(action) === target,
  );
  const dates = told.map((action) => (typeof action["date"] === "number" ? action["date"] : (fired ?? date)));
  if (dates.length === 0) return undefined;
  return { first: Math.floor(Math.min(...dates)), last: Math.floor(Math.max(...dates)), count: dates.length };
}

/** True for types of actions that can notify by problem. */
const isMail = ({ type }: Action): boolean => type === "email" || type === "channel" || type === "web_hook";

/** Repetitions whose results are kept per target in an invocation. */
const KEPT = 10;

/** Result of a notice that an action sent. */
export interface NoticeResult {
  /** The action with its result. */
  readonly action: Action;
  /** Id of the notice. */
  readonly notice: string;
  readonly condition: "alert_new" | "alert_cleared";
}

/** Adds the result of a notice to the actions of an invocation that it named. Repetitions are numbered. */
export function withNoticeResult(invocation: Invocation, { action, notice, condition }: NoticeResult): Invocation {
  const known = invocation.actions ?? [];
  const target = targetId(action);
  const isAlike = (each: Action): boolean =>
    each.condition === condition && each.type === action.type && targetId(each) === target;
  const before = known.filter((each) => isAlike(each) && each["notice"] !== notice);
  const rounds = before.map(({ round }) => (typeof round === "number" ? round : 0));
  const round = condition === "alert_new" && rounds.length > 0 ? { round: Math.max(...rounds) + 1 } : {};
  const result: Action = { ...action, ...round, condition, notice };
  const at = known.findIndex((each) => each["notice"] === notice && isAlike(each));
  if (at >= 0) return { ...invocation, actions: known.map((each, index) => (index === at ? result : each)) };
  const old = new Set(before.slice(1, 1 - KEPT));
  return { ...invocation, actions: [...known.filter((each) => !old.has(each)), result] };
}
