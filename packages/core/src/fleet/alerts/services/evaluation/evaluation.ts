import type { Cradle } from "../../../../kernel/container.ts";
import { createBreath } from "../../../../kernel/running/breath.ts";
import type { Unit } from "../../../../kernel/transactions/unit-of-work.ts";
import { updateIfThere } from "../../../../kernel/transactions/update-if-there.ts";
import type { WriteTx } from "../../../../ports/storage/storage.ts";
import { hasWord } from "../../../../search/ast.ts";
import { alertCollection, invocationCollection, stateCollection } from "../../collection.ts";
import { type AlertState, type Invocation, stateKey } from "../../model.ts";
import { isByClock, isForPlace, type Kind, type Place } from "../../rules/definition/subjects.ts";
import { type Advance, advance, type Verdict } from "../../rules/evaluation/evaluate.ts";
import type { CompiledAlert, CompiledAlerts } from "./compiled.ts";
import { type Earlier, earlierOn } from "./flapping.ts";
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

/** What a sample does to the state of one alert. */
interface Step {
  readonly sample: AlertSample;
  readonly alert: CompiledAlert["alert"];
  readonly before: AlertState | undefined;
  readonly next: Advance;
}

/** New records of a transaction, stored together: one by one they would be most of the statements of a storm. */
interface Inserts {
  readonly states: AlertState[];
  readonly invocations: Invocation[];
}

const verdictIn = ({ held, unclear }: AlertReadings, alert: string): Verdict =>
  held.has(alert) ? "holds" : (unclear.get(alert) ?? "over");

function createSteps({ config, ids }: Deps) {
  return (sample: AlertSample, states: States): Step[] => {
    const { alerts, held } = sample.readings;
    // Fast path: most alerts neither hold nor have a state.
    if (held.size === 0 && states.size === 0) return [];
    return alerts.flatMap(({ alert }) => {
      const before = states.get(alert.id);
      if (!before && !held.has(alert.id)) return [];
      const next = advance(before, {
        verdict: verdictIn(sample.readings, alert.id),
        now: sample.date,
        alert,
        gapSec: isByClock(alert) ? undefined : config.stale_alert_timeout,
        expression: alert.expression,
        message: () => held.get(alert.id) ?? "",
        newId: () => ids.short("a"),
      });
      return [{ sample, alert, before, next }];
    });
  };
}

const isFiring = ({ next }: Step): boolean => next.change === "fired";

interface Taking {
  readonly isInForce: IsInForce;
  readonly earlier: Earlier;
  readonly inserts: Inserts;
}

/** Stores what a step changes; returns whether the alert fired. */
const createTake =
  (transitions: Transitions) =>
  async (step: Step, { isInForce, earlier, inserts }: Taking): Promise<boolean> => {
    const { sample, alert, before } = step;
    const { unit, server, groups, date: now, endedBy } = sample;
    const isFired = isFiring(step);
    if (isFired && !(await isInForce(alert.id))) return false;
    const state = await saveState(unit.tx, step, inserts.states);
    if (isFired && state)
      inserts.invocations.push(await transitions.fire(unit, { alert, server, groups, state, earlier }));
    const ended = step.next.change === "cleared" ? before : undefined;
    if (ended) await transitions.clear(unit, { alert, server, state: ended, now, notifies: true, endedBy });
    return isFired;
  };

export function createAlertEvaluation(deps: Deps, compiled: CompiledAlerts, transitions: Transitions): AlertEvaluation {
  const stepsOf = createSteps(deps);
  const take = createTake(transitions);
  return {
    read: (minute) => readAlerts(compiled.all(), minute, "server"),
    readByClock: (kind, look) => readAlerts(compiled.all(), look, kind),
    async advance(tx, samples) {
      const states = await statesOf(tx, samples);
      const steps = samples.map((sample) => stepsOf(sample, states.get(sample.server.id) ?? NO_STATES));
      const firing = steps.flat().filter(isFiring);
      const places = [...new Set(firing.map(({ sample }) => sample.server.id))];
      const inserts: Inserts = { states: [], invocations: [] };
      const from = Math.min(...firing.map(({ sample }) => sample.date));
      const taking = { isInForce: inForceIn(tx), earlier: await earlierOn(tx, places, from), inserts };
      const fired: Record<string, true>[] = [];
      const breathe = createBreath(deps.clock);
      for (const own of steps) {
        const names: Record<string, true> = {};
        for (const step of own) if (await take(step, taking)) names[step.alert.id] = true;
        fired.push(names);
        await breathe();
      }
      await tx.collection(stateCollection).insertMany(inserts.states);
      await tx.collection(invocationCollection).insertMany(inserts.invocations);
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
  { sample: { server }, alert, before, next: { streak } }: Step,
  inserts: AlertState[],
): Promise<AlertState | undefined> {
  const states = tx.collection(stateCollection);
  if (!streak) {
    if (before) await states.delete(before.id);
    return undefined;
  }
  const copied = before?.notified ? await copyIfDue(tx, before.copied, streak) : streak.modified;
  const id = stateKey(server.id, alert.id);
  const state: AlertState = { ...streak, id, server: server.id, alert: alert.id, copied };
  if (before) await states.update(id, () => state);
  else inserts.push(state);
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
