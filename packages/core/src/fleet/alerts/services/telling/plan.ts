import { groupRecords } from "../../../../directory/groups/records.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import type { ReadTx, WriteTx } from "../../../../ports/storage/storage.ts";
import type { Action } from "../../../../wire/entries/actions-and-limits.ts";
import type { SilencedBy } from "../../../silences/model.ts";
import { alertCollection, invocationCollection } from "../../collection.ts";
import type { Alert, Condition, Invocation, Notification } from "../../model.ts";
import { severityOf } from "../../rules/definition/severity.ts";
import { alertActions, alertTarget } from "../../rules/telling/actions.ts";
import { type ActionTarget, actionTargets, isByProblem } from "../../rules/telling/by-problem.ts";
import {
  acknowledgementOf,
  heldBack,
  noteSuppressed,
  positionsOf,
  withoutDebt,
  withPlannedActions,
} from "../../rules/telling/suppression.ts";
import { isTelling, type Told, toldOfNoData, toldOnly } from "../../rules/telling/telling.ts";
import { groupingOf } from "./grouping.ts";
import { type Fired, findHolds } from "./holds.ts";

/** The actions of one transition or repetition. */
export interface Plan {
  readonly alert: Alert;
  readonly invocation: Invocation;
  readonly actions: readonly Action[];
}

export interface Subject {
  readonly alert: Alert;
  readonly invocation: Invocation;
  /** Current groups of the server. */
  readonly groups: readonly string[];
}

type Deps = Pick<Cradle, "checks" | "clock" | "config" | "definitions" | "registry" | "servers" | "silences" | "state">;

type Quiets = Pick<Cradle, "clock" | "silences" | "state">;
type Holds = Quiets & Pick<Cradle, "checks" | "config" | "definitions" | "servers">;

interface Context {
  readonly tx: WriteTx;
  readonly deps: Deps;
  readonly notification: Notification;
}

/**
 * Decides in one transaction which actions run for a notification, and records why others do not; undefined = none run.
 */
export async function makePlan(tx: WriteTx, deps: Deps, notification: Notification): Promise<Plan | undefined> {
  const invocation = await tx.collection(invocationCollection).get(notification.invocation);
  const alert = invocation && deps.definitions.get(alertCollection, invocation.alert);
  // The definition was deleted, and its pending actions with it.
  if (!invocation || !alert) return undefined;
  const begun = actionsOf(invocation, notification);
  const isBegun = begun.length > 0 && !hasEnded(invocation, notification) && !invocation.untold;
  if (isBegun) return { alert, invocation, actions: begun };
  const { groups } =
    deps.servers.anywhere(invocation.server) ?? (await deps.servers.hostRecord(tx, invocation.server)) ?? invocation;
  const subject = { alert, invocation, groups };
  const context = { tx, deps, notification };
  return notification.condition === "alert_new" ? planFiring(context, subject) : planClearing(context, subject);
}

/** True when the alert has ended, so that a repetition or a held-back firing is no longer worth a notification. */
const hasEnded = ({ active, untold }: Invocation, { round }: Notification): boolean =>
  !active && (round !== undefined || untold !== undefined);

async function planFiring(context: Context, subject: Subject): Promise<Plan | undefined> {
  const { tx, deps, notification } = context;
  const { invocation } = subject;
  const { round } = notification;
  if (hasEnded(invocation, notification) || (round !== undefined && invocation.untold)) return undefined;
  const due = dueActions(deps, subject, "alert_new");
  // Actions that do something were due at the firing, and are not made up for later.
  const actions = invocation.untold ? due.filter(isTelling) : due;
  const by = actions.length > 0 ? await findSilence(tx, deps, subject) : undefined;
  const held = actions.some(isTelling) ? await findNoticeHold(tx, deps, subject) : by;
  const date = Math.floor(deps.clock.now());
  // Only notifications wait for a hold: actions that do something run at every firing that is not silenced.
  const free = held ? actions.filter((action) => !by && !isTelling(action)) : actions;
  const run = forSubject(deps, free);
  const stored = await tx.collection(invocationCollection).update(invocation.id, (current) => {
    if (!held) return withPlannedActions(withoutDebt(current, date), run, round);
    const noted = heldBack(current, { date, by: held, isRepetition: round !== undefined });
    return run.length > 0 ? withPlannedActions(noted, run, round) : noted;
  });
  return by ? undefined : planOf(context, subject, stored);
}

const findSilence = (tx: ReadTx, deps: Quiets, subject: Subject): Promise<SilencedBy | undefined> =>
  findQuiet(tx, deps, { ...subject, condition: "alert_new" });

/** Returns a function that says whether another firing is silenced. */
const quietAbout = (tx: ReadTx, deps: Quiets & Pick<Cradle, "servers">) => async (other: Fired) => {
  const groups = deps.servers.anywhere(other.invocation.server)?.groups ?? other.invocation.groups;
  return (await findSilence(tx, deps, { ...other, groups })) !== undefined;
};

/**
 * All holds that hold notifications of a firing back now: its age, a dependency, a silence, an inhibition. The first
 * one is recorded.
 */
export async function findNoticeHolds(tx: ReadTx, deps: Holds, subject: Subject): Promise<SilencedBy[]> {
  const { early, inhibition } = await findHolds(tx, deps, subject, quietAbout(tx, deps));
  const quiet = await findQuiets(tx, deps, { ...subject, condition: "alert_new" });
  return [...early, ...quiet, ...(inhibition ? [inhibition] : [])];
}

export const findNoticeHold = async (tx: ReadTx, deps: Holds, subject: Subject): Promise<SilencedBy | undefined> =>
  (await findNoticeHolds(tx, deps, subject))[0];

async function planClearing(context: Context, given: Subject): Promise<Plan | undefined> {
  const { tx, deps, notification } = context;
  const invocation = await withFiringDecided(context, given);
  const subject = { ...given, invocation };
  const actions = clearingActions(deps, subject, notification);
  if (actions.length === 0) return undefined;
  const by = await findQuiet(tx, deps, { ...subject, condition: "alert_cleared" });
  // Receivers who were notified of the firing are notified of its end even during a silence; a snooze delays that
  // (docs/contract/alerts.md#told-and-untold).
  const isHeld = by !== undefined && (notification.stale === true || by.kind === "acknowledgement");
  const passing = by ? actions.filter((action) => !isHeld && isTelling(action)) : actions;
  const own = forSubject(deps, passing);
  const isPutOff = by?.kind === "snooze" && own.length > 0;
  const run = isPutOff ? [] : own;
  const date = Math.floor(deps.clock.now());
  const stored = await tx.collection(invocationCollection).update(invocation.id, ({ owed: _owed, ...current }) => {
    const noted =
      by && (isPutOff || passing.length < actions.length)
        ? noteSuppressed(current as Invocation, { condition: "alert_cleared", date, by })
        : (current as Invocation);
    return isPutOff ? { ...noted, owed: notification } : withPlannedActions(noted, run, undefined);
  });
  return planOf(context, subject, stored);
}

/**
 * A clearing may overtake its firing. Then the actions of the firing are decided first, so that its receivers are
 * notified of the clearing.
 */
async function withFiringDecided(context: Context, subject: Subject): Promise<Invocation> {
  const { tx, notification } = context;
  const { invocation } = subject;
  const isPlanned = (invocation.actions ?? []).some(({ notice }) => notice === undefined);
  const isDecided = invocation.decided || invocation.untold || isPlanned;
  if (isDecided || notification.stale) return invocation;
  await planFiring({ ...context, notification: { invocation: invocation.id, condition: "alert_new" } }, subject);
  return (await tx.collection(invocationCollection).get(invocation.id)) ?? invocation;
}

/** Actions that run for each server, rather than once per problem. */
const forSubject = (deps: Deps, actions: readonly Action[]): Action[] => {
  const grouping = groupingOf(deps);
  return actions.filter((action) => !isByProblem(action, grouping));
};

/**
 * The targets that problems notify of a firing, by the current definitions and groups. Of its end they also notify the
 * targets from the groups at the time of the firing.
 */
export function targetsOf(deps: Targets, subject: Subject): ActionTarget[] {
  const ends = [...dueActions(deps, subject, "alert_cleared"), ...dueThen(deps, subject, "alert_cleared")];
  return actionTargets(dueActions(deps, subject, "alert_new"), ends, groupingOf(deps));
}

type Targets = Pick<Cradle, "config" | "definitions" | "registry" | "state">;

/** Receivers who were notified because of a group that the server has since left are still notified of the end. */
const dueThen = (deps: Targets, subject: Subject, condition: Condition): Action[] =>
  dueActions(deps, { ...subject, groups: subject.invocation.groups }, condition).filter(isTelling);

function clearingActions(deps: Deps, subject: Subject, { stale }: Notification): Action[] {
  const { actions = [], untold } = subject.invocation;
  const now = (condition: Condition): Action[] => dueActions(deps, subject, condition);
  const then = (condition: Condition): Action[] => dueThen(deps, subject, condition);
  const wanted = [...now("alert_new"), ...then("alert_new")];
  const told: Told = {
    fired: actions.filter(({ condition }) => condition === "alert_new"),
    wanted,
    wasHeld: untold !== undefined,
    targetOf: targetOf(deps),
  };
  const ends = [...now("alert_cleared"), ...then("alert_cleared")];
  if (stale && !deps.config.alert_stale_actions) return toldOfNoData([...ends, ...wanted], told);
  return toldOnly(ends, told);
}

function planOf({ notification }: Context, { alert }: Subject, invocation: Invocation): Plan | undefined {
  const actions = actionsOf(invocation, notification);
  return actions.length > 0 ? { alert, invocation, actions } : undefined;
}

const actionsOf = (invocation: Invocation, notification: Notification): Action[] =>
  positionsOf(invocation, notification).flatMap((position) => invocation.actions?.[position] ?? []);

const targetOf =
  ({ registry }: Pick<Cradle, "registry">) =>
  (action: Action): string | undefined =>
    alertTarget(action, registry.actionTypes.get(action.type));

function dueActions(deps: Targets, { alert, invocation, groups }: Subject, condition: Condition): Action[] {
  const { config, definitions } = deps;
  const due = alertActions({
    alert,
    groups: groups.flatMap((group) => definitions.get(groupRecords, group) ?? []),
    universal: config.alert_universal_actions,
    condition,
    targetOf: targetOf(deps),
  });
  // A subject that is not a server has no machine to take a snapshot of.
  return invocation.subject ? due.filter(({ type }) => type !== "snapshot") : due;
}

type Asked = Subject & { readonly condition: Condition };

/** The first hold that applies to the actions now; undefined = none. */
export const findQuiet = async (tx: ReadTx, deps: Quiets, asked: Asked): Promise<SilencedBy | undefined> =>
  (await findQuiets(tx, deps, asked))[0];

async function findQuiets(
  tx: ReadTx,
  { clock, silences, state }: Quiets,
  { alert, invocation, groups, condition }: Asked,
): Promise<SilencedBy[]> {
  const until = state.get("alert_snooze");
  const isSnoozed = typeof until === "number" && until > clock.now();
  const snooze: SilencedBy | undefined = isSnoozed
    ? { kind: "snooze", id: "alert_snooze", title: "Snooze", until }
    : undefined;
  const { server, subject } = invocation;
  const named = subject ? { [subject.type]: subject.id } : {};
  const severity = severityOf(alert, subject);
  const about = { server, ...named, groups, alert: alert.id, severity, tags: alert.tags ?? [] };
  const silence = await silences.find(tx, about);
  return [acknowledgementOf(invocation, condition), snooze, silence].flatMap((hold) => hold ?? []);
}
