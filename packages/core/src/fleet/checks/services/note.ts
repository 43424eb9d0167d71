import type { Unit } from "../../../kernel/unit-of-work.ts";
import type { WriteTx } from "../../../ports/storage.ts";
import { checkCollection, resultCollection, stateCollection } from "../collection.ts";
import type { Check, CheckResult, CheckState } from "../model.ts";
import { afterResult, newState, results } from "../rules/standing.ts";
import { turnOf } from "../rules/turns.ts";
import type { States } from "./network.ts";

/** What came of asking a check once. */
export interface Answered {
  readonly check: Check;
  readonly result: CheckResult;
  /** Of the engine: the turn in which it was asked. It says nothing when that turn has got another result. */
  readonly turn?: number;
}

/** Tells alerts of what was found out, in the transaction that stores it. */
export type Tell = (unit: Unit, checks: readonly Check[], states: States) => Promise<void>;

/** The stored states of checks, whose other writers wait; sorted, so that two writers never wait for each other. */
export async function lockStates(tx: WriteTx, checks: readonly Check[]): Promise<States> {
  const ids = checks.map(({ id }) => id).sort();
  for (const id of ids) await tx.lock(`check:${id}`);
  const states = await tx.collection(stateCollection).getMany(ids);
  return new Map(states.flatMap((state) => (state ? [[state.id, state] as const] : [])));
}

export const storeStates = (tx: WriteTx, states: readonly CheckState[]): Promise<void> =>
  tx.overwrite(
    stateCollection,
    states.map((state) => ({ id: state.id, json: JSON.stringify(state) })),
  );

/** Stores results of different checks and tells of them; answers how these stand, as far as there still are any. */
export async function noteAndTell(
  unit: Unit,
  answers: readonly Answered[],
  tell: Tell,
): Promise<readonly CheckState[]> {
  const states = await noteResults(unit.tx, answers);
  const after = new Map(states.map((state) => [state.id, state]));
  const checks = answers.flatMap(({ check }) => (after.has(check.id) ? [check] : []));
  await tell(unit, checks, after);
  return states;
}

async function noteResults(tx: WriteTx, answers: readonly Answered[]): Promise<CheckState[]> {
  const stored = await lockStates(
    tx,
    answers.map(({ check }) => check),
  );
  // They may have been deleted meanwhile.
  const checks = await tx.collection(checkCollection).getMany(answers.map(({ check }) => check.id));
  const noted = answers.flatMap(({ check, result, turn }, at) => {
    const known = stored.get(check.id);
    const isLate = turn !== undefined && turn !== turnOf(check, known);
    const state = known ?? newState(check.id, result.date);
    return checks[at] && !isLate ? [{ result, state: afterResult(state, check, result) }] : [];
  });
  await storeStates(
    tx,
    noted.map(({ state }) => state),
  );
  const rows = noted.map(({ state, result }) => ({ id: results.idOf(state.id, state.count), ...result }));
  await tx.overwrite(
    resultCollection,
    rows.map((row) => ({ id: row.id, json: JSON.stringify(row) })),
  );
  return noted.map(({ state }) => state);
}
