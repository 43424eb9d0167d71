import type { Cradle } from "../../../kernel/container.ts";
import { NotFoundError } from "../../../kernel/errors.ts";
import type { Unit } from "../../../kernel/unit-of-work.ts";
import type { WriteTx } from "../../../ports/storage.ts";
import { isInScope } from "../../monitors/rules/evaluate.ts";
import type { HostRecord, Server } from "../../servers/model.ts";
import { invocationCollection, stateCollection } from "../collection.ts";
import { type AlertState, stateKey } from "../model.ts";
import { type Advance, advance } from "../rules/evaluate.ts";
import type { CompiledAlert, CompiledAlerts } from "./compiled.ts";
import type { Transitions } from "./transitions.ts";

/** A minute of a server after its monitors were read. */
export interface AlertMinute {
  readonly server: Server;
  readonly record: HostRecord;
  /** What expressions see. */
  readonly context: Readonly<Record<string, unknown>>;
  /** True once the time for this server's minute is used up. */
  readonly isOver: () => boolean;
}

/** Evaluates all alerts over one minute (part 22 §4); returns those that fired. */
export type EvaluateAlerts = (unit: Unit, minute: AlertMinute) => Promise<Record<string, true>>;

/** A live invocation takes over message and time of its state this often. Seconds. */
const COPY_EVERY_SEC = 300;

export function createEvaluateAlerts(
  { ids }: Pick<Cradle, "ids">,
  compiled: CompiledAlerts,
  transitions: Transitions,
): EvaluateAlerts {
  const sampleOf = ({ alert, holds, message }: CompiledAlert, minute: AlertMinute) => ({
    holds: isInScope(alert.groups, minute.record.groups) && !minute.isOver() && holds(minute.context),
    now: minute.record.date,
    samples: alert.samples,
    expression: alert.expression,
    message: () => message(minute.context),
    newId: () => ids.short("a"),
  });

  const evaluateOne = async (unit: Unit, minute: AlertMinute, each: CompiledAlert, before: AlertState | undefined) => {
    const { alert } = each;
    const { server, record } = minute;
    const step = advance(before, sampleOf(each, minute));
    const state = await saveState(unit.tx, before, step, { server: server.id, alert: alert.id });
    if (step.change === "fired" && state) await transitions.fire(unit, { alert, server, groups: record.groups, state });
    if (step.change === "cleared" && before)
      await transitions.clear(unit, { alert, server, state: before, now: record.date, notifies: true });
    return step.change === "fired";
  };

  return async (unit, minute) => {
    const states = await statesOf(unit.tx, minute.server.id);
    const fired: Record<string, true> = {};
    for (const each of compiled.all()) {
      const { id, enabled } = each.alert;
      if (enabled && (await evaluateOne(unit, minute, each, states.get(id)))) fired[id] = true;
    }
    return fired;
  };
}

async function statesOf(tx: WriteTx, server: string): Promise<Map<string, AlertState>> {
  const { rows } = await tx.collection(stateCollection).find({ kind: "term", field: "server", words: [server] });
  return new Map(rows.map((state) => [state.alert, state]));
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

/** Keeps the stored invocation near the live one without writing it every minute; returns when it was copied last. */
async function copyIfDue(tx: WriteTx, copied: number, streak: NonNullable<Advance["streak"]>): Promise<number> {
  const { invocation, message, modified } = streak;
  if (modified - copied < COPY_EVERY_SEC) return copied;
  try {
    await tx.collection(invocationCollection).update(invocation, (stored) => ({ ...stored, message, modified }));
  } catch (error) {
    // Somebody deleted the invocation while it is live; it ends by itself.
    if (!(error instanceof NotFoundError)) throw error;
  }
  return modified;
}
