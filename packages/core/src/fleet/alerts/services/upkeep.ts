import type { Cradle } from "../../../kernel/container.ts";
import { createBreath } from "../../../kernel/running/breath.ts";
import { recordsById } from "../../../kernel/searches/pages-by-id.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import { createUnbroken } from "../../../lib/time/unbroken.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import { allOf, below, hasWord, nothing, type SearchNode } from "../../../search/ast.ts";
import { serverRecords } from "../../servers/records.ts";
import { alertCollection, invocationCollection, stateCollection } from "../collection.ts";
import { type Alert, type AlertState, type Invocation, stateKey } from "../model.ts";
import { KEPT_SEC } from "../rules/backtest/replay.ts";
import { isByClock, type Place, placeOf, placeOfWatched } from "../rules/definition/subjects.ts";
import { samplesOf } from "../rules/evaluation/evaluate.ts";
import type { Clearing, Transitions } from "./evaluation/transitions.ts";

/** Ends alerts for other reasons than samples: silence, changed definitions, people, restarts. */
export interface Upkeep {
  /** Restores missing states of live invocations, so that these neither fire again nor stay live for ever. */
  recover(): Promise<void>;
  /**
   * Ends alerts that have had no sample for too long (docs/contract/alerts.md#silence-of-a-server), and alerts
   * whose definition is disabled; runs once a minute. `now` is Unix seconds.
   */
  sweep(now: number, signal: AbortSignal): Promise<void>;
  /** Clears one live invocation on behalf of a person (docs/contract/alerts.md#clearing); false when it is not live. */
  clear(unit: Unit, invocation: string): Promise<boolean>;
  /** Call it when a definition was disabled: ends live invocations without actions, and drops warm-ups. */
  endAll(unit: Unit, alert: Alert, by: string): Promise<void>;
  /** Call it when a subject is no longer judged: ends live invocations without actions, and drops warm-ups. */
  endPlace(unit: Unit, place: string): Promise<void>;
  /** Call it when a server was deleted: drops its states silently, and ends its live invocations. */
  dropServer(unit: Unit, server: string): Promise<void>;
  /** Call it when a definition was deleted: drops its states at once and silently. */
  dropAll(unit: Unit, alert: string): Promise<void>;
}

const PAGE = 200;
const DROPPED_TOGETHER = 50;
const SILENT = { task: "ends of alerts without data", noun: "Alert state" };
const live = hasWord("active", "true");
const ofAlert = (alert: string) => hasWord("alert", alert);
const ofPlace = (place: string) => hasWord("server", place);
const ofAlerts = (alerts: readonly Pick<Alert, "id">[]): SearchNode => {
  const ids = alerts.map(({ id }) => id);
  return ids.length === 0 ? nothing : hasWord("alert", ids);
};
const not = (node: SearchNode): SearchNode => ({ kind: "not", node });
const olderThan = (date: number) => below("modified", date);

type Deps = Pick<Cradle, "apart" | "clock" | "config" | "definitions" | "servers" | "snapshot" | "transact">;

export function createUpkeep(deps: Deps, transitions: Transitions): Upkeep {
  const { config, definitions } = deps;
  const unbroken = createUnbroken(deps.clock.now());
  const end = createEnd(deps, transitions);
  const endSilent = createEndSilent(deps, end);
  const endStates = async (unit: Unit, where: SearchNode, endedBy: string): Promise<void> => {
    const { rows } = await unit.tx.collection(stateCollection).find(where);
    const breathe = createBreath(deps.clock);
    for (const state of rows) {
      await end(unit, state, { notifies: false, endedBy });
      await breathe();
    }
  };
  return {
    recover: () => recoverAll(deps),
    async sweep(now, signal) {
      await endDisabled(deps, end, signal);
      // Gives agents time to reconnect after a restart of the engine, and to report again after a pause.
      if (now - unbroken(now) <= config.stale_alert_timeout) return;
      await endSilent({ timeoutSec: config.stale_alert_timeout, isKept: false, now, signal });
      await endSilent({ timeoutSec: KEPT_SEC, isKept: true, now, signal });
    },
    async clear(unit, id) {
      const invocation = await unit.tx.collection(invocationCollection).get(id);
      if (!invocation?.active) return false;
      const state = await unit.tx.collection(stateCollection).get(stateKey(placeOf(invocation), invocation.alert));
      const alert = definitions.get(alertCollection, invocation.alert);
      if (state?.invocation !== id || !alert) return false;
      await end(unit, state, { notifies: Boolean(alert.enabled) });
      return true;
    },
    endAll: (unit, { id }, by) => endStates(unit, ofAlert(id), `was disabled by ${by}`),
    endPlace: (unit, place) => endStates(unit, ofPlace(place), "was disabled or deleted"),
    dropAll: (unit, alert) => dropStates(deps, unit, ofAlert(alert)),
    async dropServer(unit, server) {
      await dropStates(deps, unit, ofPlace(server));
      await dropInvocations(unit, server, Math.floor(deps.clock.now()));
    },
  };
}

interface Sweep {
  readonly timeoutSec: number;
  /** True = alerts that stay live while their server is silent; false = all others. */
  readonly isKept: boolean;
  readonly now: number;
  readonly signal: AbortSignal;
}

function createEndSilent(deps: Deps, end: End): (sweep: Sweep) => Promise<void> {
  const { definitions, snapshot } = deps;
  return async ({ timeoutSec, isKept, now, signal }) => {
    const all = definitions.all(alertCollection);
    const kept = all.filter(({ no_data, ...alert }) => no_data === "keep" && !isByClock(alert));
    if (isKept && kept.length === 0) return;
    const before = now - timeoutSec;
    // Alerts that are evaluated by the clock cannot lack data.
    const where = isKept ? ofAlerts(kept) : not(ofAlerts([...kept, ...all.filter(isByClock)]));
    const stale = { where: allOf([olderThan(before), where]), size: PAGE };
    for await (const { id } of recordsById(snapshot, stateCollection, stale)) {
      if (signal.aborted) return;
      await deps.apart.run({ ...SILENT, id, signal }, () => sweepOne(deps, end, { id, before }));
    }
  };
}

/**
 * Ends alerts whose definition was disabled while another transaction stored their firing: neither sees the other, and no
 * sample advances them any more.
 */
async function endDisabled(deps: Deps, end: End, signal: AbortSignal): Promise<void> {
  const { apart, definitions, snapshot, transact } = deps;
  const disabled = definitions.all(alertCollection).filter(({ enabled }) => !enabled);
  if (disabled.length === 0) return;
  for await (const { id } of recordsById(snapshot, stateCollection, { where: ofAlerts(disabled), size: PAGE })) {
    if (signal.aborted) return;
    const endOne = async (unit: Unit): Promise<void> => {
      const state = await unit.tx.collection(stateCollection).get(id);
      // The definition in memory may be older than the stored one.
      const alert = state && (await unit.tx.collection(alertCollection).get(state.alert));
      if (state && alert && !alert.enabled) await end(unit, state, { notifies: false, endedBy: "was disabled" });
    };
    await apart.run({ task: "ends of disabled alerts", noun: "Alert state", id, signal }, () => transact(endOne));
  }
}

async function dropStates({ clock }: Pick<Deps, "clock">, { tx }: Unit, where: SearchNode): Promise<void> {
  const states = tx.collection(stateCollection);
  const breathe = createBreath(clock);
  const { rows } = await states.find(where);
  for (let start = 0; start < rows.length; start += DROPPED_TOGETHER) {
    await states.deleteMany(rows.slice(start, start + DROPPED_TOGETHER).map(({ id }) => id));
    await breathe();
  }
}

async function dropInvocations({ tx, emit }: Unit, server: string, modified: number): Promise<void> {
  const invocations = tx.collection(invocationCollection);
  const { rows } = await invocations.find(allOf([ofPlace(server), live]));
  for (const { id, alert } of rows) {
    await invocations.update(id, (stored) => ({ ...stored, active: false, modified }));
    emit("alert.cleared", { id, alert, server });
  }
}

type End = (unit: Unit, state: AlertState, how: Pick<Clearing, "notifies" | "stale" | "endedBy">) => Promise<void>;

/** Deletes a state, and clears the alert if it is live. */
function createEnd(deps: Deps, transitions: Transitions): End {
  const { clock, definitions } = deps;
  const placeOfState = async (tx: ReadTx, { server: id, invocation }: AlertState): Promise<Place> => {
    const server = deps.servers.anywhere(id) ?? (await tx.collection(serverRecords).get(id));
    if (server) return server;
    const { subject, category = "" } = (await tx.collection(invocationCollection).get(invocation)) ?? {};
    return subject ? placeOfWatched({ subject, category, tags: [] }) : { id, hostname: id, ip: "" };
  };
  return async (unit, state, how) => {
    await unit.tx.collection(stateCollection).delete(state.id);
    const alert = definitions.get(alertCollection, state.alert);
    if (!state.notified) return;
    if (!alert) {
      // The definition was deleted while a minute was being processed; its invocations go with it.
      await unit.tx.collection(invocationCollection).delete(state.invocation);
      return;
    }
    const server = await placeOfState(unit.tx, state);
    await transitions.clear(unit, { alert, server, state, now: Math.floor(clock.now()), ...how });
  };
}

/** Checks again inside the transaction: a sample may have come meanwhile. */
async function sweepOne(deps: Deps, end: End, { id, before }: { id: string; before: number }): Promise<void> {
  const notifies = deps.config.alert_stale_actions;
  await deps.transact(async (unit) => {
    const state = await unit.tx.collection(stateCollection).get(id);
    if (state && state.modified < before) await end(unit, state, { notifies, stale: true });
  });
}

async function recoverAll(deps: Deps): Promise<void> {
  const orphans = await deps.snapshot(async (tx) => {
    // Newest first: if one alert has two live invocations on one server, the newer one keeps the state.
    const { rows } = await tx.collection(invocationCollection).find(live, { sortBy: "id", descending: true });
    const states = await tx.collection(stateCollection).getMany(rows.map((row) => stateKey(placeOf(row), row.alert)));
    return rows.filter(({ id }, index) => states[index]?.invocation !== id);
  });
  for (const invocation of orphans) await recoverOne(deps, invocation);
}

async function recoverOne({ definitions, transact }: Deps, invocation: Invocation): Promise<void> {
  const { id, alert, date, exp, message, modified } = invocation;
  const server = placeOf(invocation);
  await transact(async ({ tx }) => {
    const key = stateKey(server, alert);
    const known = await tx.collection(stateCollection).get(key);
    if (known?.invocation === id) return;
    if (known?.notified) {
      await tx.collection(invocationCollection).update(id, (stored) => ({ ...stored, active: false }));
      return;
    }
    const count = samplesOf(definitions.get(alertCollection, alert) ?? {});
    const streak = { invocation: id, date, exp, message, count, notified: true, modified, copied: modified };
    if (known) await tx.collection(stateCollection).delete(key);
    await tx.collection(stateCollection).insert({ id: key, server, alert, ...streak });
  });
}
