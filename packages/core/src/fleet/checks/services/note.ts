import type { Cradle } from "../../../kernel/container.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import { byId } from "../../../lib/by-id.ts";
import type { WriteTx } from "../../../ports/storage/storage.ts";
import { keyOfSubject } from "../../alerts/rules/definition/subjects.ts";
import type { SeriesPlace } from "../../monitors/model.ts";
import { checkCollection, resultCollection, stateCollection } from "../collection.ts";
import type { Check, CheckResult, CheckState } from "../model.ts";
import { readCheck } from "../rules/record.ts";
import { afterResult, newState, results } from "../rules/standing.ts";
import { turnOf } from "../rules/turns.ts";
import type { States } from "./network.ts";

/** Result of one probe of a check. */
export interface Answered {
  readonly check: Check;
  readonly result: CheckResult;
  /**
   * For probes of the engine: the turn that they belong to. The result is dropped when that turn already has another
   * one.
   */
  readonly turn?: number;
}

/** Passes new results to alerts, in the transaction that stores them. */
export type Tell = (unit: Unit, checks: readonly Check[], states: States) => Promise<void>;

/**
 * Locks and reads the stored states of checks. Locks are taken in sorted order, so that two writers cannot deadlock.
 */
export async function lockStates(tx: WriteTx, checks: readonly Check[]): Promise<States> {
  const ids = checks.map(({ id }) => id).sort();
  for (const id of ids) await tx.lock(`check:${id}`);
  const states = await tx.collection(stateCollection).getMany(ids);
  return byId(states);
}

export const storeStates = (tx: WriteTx, states: readonly CheckState[]): Promise<void> =>
  tx.overwrite(
    stateCollection,
    states.map((state) => ({ id: state.id, json: JSON.stringify(state) })),
  );

/** Stores results of distinct checks and passes them to alerts. Returns the new states of checks that still run. */
export type NoteAndTell = (unit: Unit, answers: readonly Answered[], tell: Tell) => Promise<readonly CheckState[]>;

export const createNoteAndTell =
  (deps: Pick<Cradle, "monitors">, judged: () => readonly Check[]): NoteAndTell =>
  async ({ tx, ...unit }, answers, tell) => {
    const meant = new Set(judged().map(({ id }) => id));
    const noted = await judgeAll(
      tx,
      answers.filter(({ check }) => meant.has(check.id)),
    );
    const results = noted.map(({ result }) => result);
    const places = await deps.monitors.series.add(
      tx,
      noted.map(({ state, result }) => sampleOf(state, result)),
    );
    const states = noted.map(({ state }, at): CheckState => withSeries(state, places[at]));
    await storeStates(tx, states);
    await storeResults(tx, states, results);
    await tell(
      { tx, ...unit },
      noted.map(({ check }) => check),
      byId(states),
    );
    return states;
  };

const withSeries = (state: CheckState, series: SeriesPlace | undefined): CheckState =>
  series ? { ...state, series } : state;

interface Noted {
  readonly check: Check;
  readonly result: CheckResult;
  readonly state: CheckState;
}

async function judgeAll(tx: WriteTx, answers: readonly Answered[]): Promise<readonly Noted[]> {
  const states = await lockStates(
    tx,
    answers.map(({ check }) => check),
  );
  // The definitions may have been changed or deleted since the probe: judge results by the current ones.
  const checks = await tx.collection(checkCollection).getMany(answers.map(({ check }) => check.id));
  return answers.flatMap(({ result, turn }, at) => {
    const stored = checks[at];
    if (!stored) return [];
    const check = readCheck(stored);
    const known = states.get(check.id);
    const isLate = turn !== undefined && turn !== turnOf(check, known);
    const state = known ?? newState(check.id, result.date);
    return isLate ? [] : [{ check, result, state: afterResult(state, check, result) }];
  });
}

/** Name of a check's timeline. Its colon keeps it apart from ids of servers, which name their timelines. */
export const seriesOf = (id: string): string => keyOfSubject({ type: "check", id });

/** Sample of a result for the timeline. A failure has no `ms`, because there was no answer to time. */
const sampleOf = ({ id, series: at }: CheckState, { date, ok, ms, days_left }: CheckResult) => ({
  key: seriesOf(id),
  date,
  at,
  values: { up: ok ? 1 : 0, ...(ok ? { ms } : {}), ...(days_left === undefined ? {} : { days_left }) },
});

function storeResults(tx: WriteTx, states: readonly CheckState[], made: readonly CheckResult[]): Promise<void> {
  const rows = states.map(({ id, count }, at) => ({ id: results.idOf(id, count), ...made[at] }));
  return tx.overwrite(
    resultCollection,
    rows.map((row) => ({ id: row.id, json: JSON.stringify(row) })),
  );
}
