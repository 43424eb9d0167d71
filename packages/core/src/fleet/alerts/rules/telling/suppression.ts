import type { SilencedBy } from "../../../silences/model.ts";
import type { Condition, Invocation, Suppression } from "../../model.ts";

/** Most different reasons per invocation; the newest stay. */
const MAX_REASONS = 20;

/** Records in an invocation that actions did not run. A known reason only increases its count. */
export function noteSuppressed(
  invocation: Invocation,
  { condition, date, by }: { readonly condition: Condition; readonly date: number; readonly by: SilencedBy },
): Invocation {
  // The end of a hold may change, so it is not part of the entry.
  const { until: _end, ...named } = by;
  const known = invocation.suppressed ?? [];
  const isSame = (each: Suppression): boolean =>
    each.condition === condition && each.by.kind === by.kind && each.by.id === by.id;
  const before = known.find(isSame);
  const entry: Suppression = {
    condition,
    date: before?.date ?? date,
    last: date,
    count: (before?.count ?? 0) + 1,
    by: named,
  };
  const others = known.filter((each) => !isSame(each));
  return { ...invocation, suppressed: [...others, entry].slice(-MAX_REASONS) };
}

/**
 * Records that a firing or a repetition is held back. A firing is notified when the hold ends, a repetition is dropped.
 */
export function heldBack(
  invocation: Invocation,
  { date, by, isRepetition }: { readonly date: number; readonly by: SilencedBy; readonly isRepetition: boolean },
): Invocation {
  const noted = noteSuppressed(invocation, { condition: "alert_new", date, by });
  return isRepetition ? noted : { ...noted, untold: { since: invocation.untold?.since ?? date, by } };
}

/**
 * Marks a firing whose actions are about to run. If it was held back, the time until the first repetition starts now.
 */
export function withoutDebt({ untold, ...invocation }: Invocation, now: number): Invocation {
  return { ...(invocation as Invocation), decided: true, ...(untold ? { noticed: now } : {}) };
}

/** The acknowledgement that suppresses a condition; undefined = none. */
export function acknowledgementOf({ acknowledged }: Invocation, condition: Condition): SilencedBy | undefined {
  if (!acknowledged || (condition === "alert_cleared" && acknowledged.notify_cleared)) return undefined;
  const { comment: title, expires: until } = acknowledged;
  return { kind: "acknowledgement", id: whoAcknowledged(acknowledged), title, ...(until && { until }) };
}

/** "mia", or "Mia (link:ops)" for a typed name without a login. */
export const whoAcknowledged = ({
  username,
  name,
}: Pick<NonNullable<Invocation["acknowledged"]>, "username" | "name">): string =>
  name ? `${name} (${username})` : username;

/** Repetitions whose results an invocation keeps. */
const KEPT_ROUNDS = 10;

/** Adds the actions of one transition or repetition to an invocation, and drops the actions of old repetitions. */
export function withPlannedActions(
  invocation: Invocation,
  actions: NonNullable<Invocation["actions"]>,
  round: number | undefined,
): Invocation {
  const isKept = (action: Readonly<Record<string, unknown>>): boolean =>
    typeof action["round"] !== "number" || round === undefined || action["round"] > round - KEPT_ROUNDS;
  // A definition may contain any member, but only repetitions have a `round`.
  const planned = actions.map(({ round: _given, ...action }) => ({
    ...(action as (typeof actions)[number]),
    ...(round === undefined ? {} : { round }),
  }));
  return { ...invocation, actions: [...(invocation.actions ?? []).filter(isKept), ...planned] };
}

/** Indexes of the actions of one transition or repetition, without results of notices. */
export function positionsOf(
  { actions = [] }: Invocation,
  { condition, round }: { readonly condition: string; readonly round?: number | undefined },
): number[] {
  return actions.flatMap((action, index) =>
    action.condition === condition && action["round"] === round && action["notice"] === undefined ? [index] : [],
  );
}
