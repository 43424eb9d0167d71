import type { Cradle } from "../../../../kernel/container.ts";
import { createBreath } from "../../../../kernel/running/breath.ts";
import type { Unit } from "../../../../kernel/transactions/unit-of-work.ts";
import { updateIfThere } from "../../../../kernel/transactions/update-if-there.ts";
import type { WriteTx } from "../../../../ports/storage/storage.ts";
import { hasWord } from "../../../../search/ast.ts";
import { alertCollection, invocationCollection, stateCollection } from "../../collection.ts";
import { type AlertState, stateKey } from "../../model.ts";
import { isByClock, isForPlace, type Kind, type Place } from "../../rules/definition/subjects.ts";
import { type Advance, advance, type Verdict } from "../../rules/evaluation/evaluate.ts";
import type { CompiledAlert, CompiledAlerts } from "./compiled.ts";
import type { Transitions } from "./transitions.ts";

/** A minute of a server, after its monitors were read. */
export interface AlertMinute {
  readonly server: Place;
  /** Unix seconds, by this node's clock. */
  readonly date: number;
  /** Groups of the server at that minute. */
  readonly groups: readonly string[];
  /** Values that expressions read. */
  readonly context: Readonly<Record<string, unknown>>;
  /** True once the time allowed for this server's minute is used up; absent = there is no such bound. */
  readonly isOver?: () => boolean;
}

/** Verdicts of all enabled alerts on one minute, in the order of evaluation. */
export interface AlertReadings {
  readonly alerts: readonly CompiledAlert[];
  /** Message of each alert whose condition holds, by id of the alert. */
  readonly held: ReadonlyMap<string, string>;
  /** Verdicts other than "holds" and "over", by id of the alert. */
  readonly unclear: ReadonlyMap<string, Verdict>;
}

/**
 * An evaluated minute, with the part of the transaction that belongs to its server: activity rows carry the server's
 * address.
 */
export interface AlertSample extends Pick<AlertMinute, "server" | "date" | "groups"> {
  readonly unit: Unit;
  readonly readings: AlertReadings;
  /** Why alerts that no longer hold end, if not because of a sample: "is expected no more". */
  readonly endedBy?: string | undefined;
}

/** Evaluates alerts (docs/contract/alerts.md#evaluation). */
export interface AlertEvaluation {
  /** Evaluates conditions; stores nothing. */
  read(minute: AlertMinute): AlertReadings;
  /** The same for alerts of a kind that is evaluated by the clock. */
  readByClock(kind: Kind, look: AlertMinute): AlertReadings;
  /**
   * Advances the states by the minutes of different servers. Returns the alerts that fired, in the order of `samples`.
   */
  advance(tx: WriteTx, samples: readonly AlertSample[]): Promise<Readonly<Record<string, true>>[]>;
}

/** Seconds between copies of a live state's message and time into its invocation. */
const COPY_EVERY_SEC = 300;

type States = ReadonlyMap<string, AlertState>;
const NO_STATES: States = new Map();

type Deps = Pick<Cradle, "clock" | "config" | "ids">;

/** True while an alert is stored and enabled: it may have been changed since the sample was evaluated. */
type IsInForce = (alert: string) => Promise<boolean>;

const inForceIn = (tx: WriteTx): IsInForce => {
  const known = new Map<string, Promise<boolean>>();
  const read = async (id: string): Promise<boolean> => Boolean((await tx.collection(alertCollection).get(id))?.enabled);
  return (id) => {
    const found = known.get(id) ?? read(id);
    known.set(id, found);
    return found;
  };
};

interface AlertOnSample {
  readonly sample: AlertSample;
  readonly alert: CompiledAlert["alert"];
  readonly before: AlertState | undefined;
  readonly isInForce: IsInForce;
}

const verdictIn = ({ held, unclear }: AlertReadings, alert: string): Verdict =>
  held.has(alert) ? "holds" : (unclear.get(alert) ?? "over");

/** Advances the state of one alert; returns whether it fired. */
function createAdvanceOne({ config, ids }: Deps, transitions: Transitions) {
  return async ({ sample, alert, before, isInForce }: AlertOnSample): Promise<boolean> => {
    const { unit, server, groups, date, endedBy } = sample;
    const message = sample.readings.held.get(alert.id);
    const step = advance(before, {
      verdict: verdictIn(sample.readings, alert.id),
      now: date,
      alert,
      gapSec: isByClock(alert) ? undefined : config.stale_alert_timeout,
      expression: alert.expression,
      message: () => message ?? "",
      newId: () => ids.short("a"),
    });
    const isFired = step.change === "fired";
    if (isFired && !(await isInForce(alert.id))) return false;
    const state = await saveState(unit.tx, before, step, { server: server.id, alert: alert.id });
    if (isFired && state) await transitions.fire(unit, { alert, server, groups, state });
    const ended = step.change === "cleared" ? before : undefined;
    if (ended) await transitions.clear(unit, { alert, server, state: ended, now: date, notifies: true, endedBy });
    return isFired;
  };
}

export function createAlertEvaluation(deps: Deps, compiled: CompiledAlerts, transitions: Transitions): AlertEvaluation {
  const advanceOne = createAdvanceOne(deps, transitions);
  const advanceServer = async (
    sample: AlertSample,
    states: States,
    isInForce: IsInForce,
  ): Promise<Record<string, true>> => {
    const { alerts, held } = sample.readings;
    const fired: Record<string, true> = {};
    // Fast path: most alerts neither hold nor have a state.
    if (held.size === 0 && states.size === 0) return fired;
    for (const { alert } of alerts) {
      const before = states.get(alert.id);
      if (!before && !held.has(alert.id)) continue;
      if (await advanceOne({ sample, alert, before, isInForce })) fired[alert.id] = true;
    }
    return fired;
  };
  return {
    read: (minute) => readAlerts(compiled.all(), minute, "server"),
    readByClock: (kind, look) => readAlerts(compiled.all(), look, kind),
    async advance(tx, samples) {
      const states = await statesOf(tx, samples);
      const isInForce = inForceIn(tx);
      const fired: Record<string, true>[] = [];
      const breathe = createBreath(deps.clock);
      for (const sample of samples) {
        fired.push(await advanceServer(sample, states.get(sample.server.id) ?? NO_STATES, isInForce));
        await breathe();
      }
      return fired;
    },
  };
}

function readAlerts(
  compiled: readonly CompiledAlert[],
  { server: { about }, groups, context, isOver }: AlertMinute,
  kind: Kind,
): AlertReadings {
  const alerts: CompiledAlert[] = [];
  const held = new Map<string, string>();
  const unclear = new Map<string, Verdict>();
  for (const each of compiled) {
    const { alert } = each;
    if (!alert.enabled || each.kind !== kind) continue;
    alerts.push(each);
    // An alert that no longer applies to the place counts as one whose condition does not hold.
    if (!isForPlace(alert, { groups, about })) continue;
    const verdict = isOver?.() ? "failed" : each.judge(context);
    if (verdict === "holds") held.set(alert.id, each.message(context));
    else if (verdict !== "over") unclear.set(alert.id, verdict);
  }
  return { alerts, held, unclear };
}

/** States by server and alert, read with one query. */
async function statesOf(tx: WriteTx, samples: readonly AlertSample[]): Promise<Map<string, Map<string, AlertState>>> {
  const words = samples.map(({ server }) => server.id);
  const found = new Map<string, Map<string, AlertState>>();
  if (words.length === 0) return found;
  const { rows } = await tx.collection(stateCollection).find(hasWord("server", words));
  for (const state of rows) {
    const states = found.get(state.server) ?? new Map<string, AlertState>();
    found.set(state.server, states.set(state.alert, state));
  }
  return found;
}

async function saveState(
  tx: WriteTx,
  before: AlertState | undefined,
  { streak }: Advance,
  { server, alert }: { readonly server: string; readonly alert: string },
): Promise<AlertState | undefined> {
  const states = tx.collection(stateCollection);
  if (!streak) {
    if (before) await states.delete(before.id);
    return undefined;
  }
  const id = stateKey(server, alert);
  const copied = before?.notified ? await copyIfDue(tx, before.copied, streak) : streak.modified;
  const state: AlertState = { ...streak, id, server, alert, copied };
  if (before) await states.update(id, () => state);
  else await states.insert(state);
  return state;
}

/**
 * Copies message and time of a live state into its invocation now and then, instead of every minute. Returns the time
 * of the last copy.
 */
async function copyIfDue(tx: WriteTx, copied: number, streak: NonNullable<Advance["streak"]>): Promise<number> {
  const { invocation, message, modified } = streak;
  if (modified - copied < COPY_EVERY_SEC) return copied;
  // A caller may have deleted the invocation while it was live; the state ends by itself.
  await updateIfThere(tx.collection(invocationCollection), invocation, (stored) => ({ ...stored, message, modified }));
  return modified;
}
