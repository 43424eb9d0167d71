import type { Cradle } from "../../../kernel/container.ts";
import type { Unit } from "../../../kernel/unit-of-work.ts";
import type { WriteTx } from "../../../ports/storage.ts";
import { checkCollection, resultCollection, stateCollection } from "../collection.ts";
import type { Check, CheckResult, CheckState } from "../model.ts";
import { afterResult, newState, results } from "../rules/judge.ts";
import type { Ask } from "./ask.ts";
import type { States } from "./network.ts";

/** Asks the checks that are due. `now` is Unix seconds. */
export type AskAll = (now: number, signal: AbortSignal) => Promise<void>;

/** Asked at the same time. */
const TOGETHER = 20;

/** No check is due more often: a round that takes as long leaves checks out. */
const BEHIND_MS = 60_000;

type Deps = Pick<Cradle, "clock" | "log" | "snapshot" | "transact">;

/** Tells alerts of what was found out, in the transaction that stores it. */
export type Tell = (unit: Unit, checks: readonly Check[], states: States) => Promise<void>;

interface Parts {
  readonly judged: () => readonly Check[];
  readonly ask: Ask;
  readonly tell: Tell;
}

export function createRounds(deps: Deps, { judged, ask, tell }: Parts): AskAll {
  const note = createPunctuality(deps);
  return async (now, signal) => {
    const begun = deps.clock.monotonicMs();
    const checks = judged();
    if (checks.length === 0) return;
    const states = await deps.snapshot((tx) => tx.collection(stateCollection).list());
    const known = new Map(states.map((state) => [state.id, state]));
    const due = checks.filter(({ id, every }) => isDue(known.get(id), every, now));
    for (let start = 0; start < due.length && !signal.aborted; start += TOGETHER) {
      const some = due.slice(start, start + TOGETHER);
      const answers = await Promise.all(some.map(async (check) => ({ check, result: await ask(check, signal) })));
      // What a stop has cut off says nothing.
      if (signal.aborted) break;
      const noted = await deps.transact((unit) => noteAndTell(unit, { answers, known, tell }));
      for (const state of noted) known.set(state.id, state);
    }
    note(deps.clock.monotonicMs() - begun, due.length);
  };
}

/** Rounds that fall behind are told of once, until one was in time again. */
function createPunctuality({ log }: Pick<Deps, "log">): (ms: number, checks: number) => void {
  let isBehind = false;
  return (ms, checks) => {
    const isLate = ms >= BEHIND_MS;
    if (isLate && !isBehind) log.warn({ checks, ms: Math.round(ms) }, "Checks are asked later than they are due");
    isBehind = isLate;
  };
}

/** A clock that went back does not make a check wait longer than it should. */
const isDue = (state: CheckState | undefined, every: number, now: number): boolean =>
  !state || state.next <= now || state.next > now + every;

interface Answered {
  readonly check: Check;
  readonly result: CheckResult;
}

interface Found {
  readonly answers: readonly Answered[];
  /** Of the whole round: read once, as each bunch tells of the network of all. */
  readonly known: States;
  readonly tell: Tell;
}

async function noteAndTell(unit: Unit, { answers, known, tell }: Found): Promise<readonly CheckState[]> {
  const states = await noteAll(unit.tx, answers);
  const after = new Map([...known.values(), ...states].map((state) => [state.id, state]));
  const ids = new Set(states.map(({ id }) => id));
  const checks = answers.flatMap(({ check }) => (ids.has(check.id) ? [check] : []));
  await tell(unit, checks, after);
  return states;
}

/** Answers how the checks stand that there still are. */
async function noteAll(tx: WriteTx, answers: readonly Answered[]): Promise<CheckState[]> {
  const noted: CheckState[] = [];
  for (const { check, result } of answers) {
    // It may have been deleted meanwhile.
    if (!(await tx.collection(checkCollection).get(check.id))) continue;
    const stored = await tx.collection(stateCollection).get(check.id);
    const state = afterResult(stored ?? newState(check.id, result.date), check, result);
    await tx.overwrite(stateCollection, [{ id: check.id, json: JSON.stringify(state) }]);
    const id = results.idOf(check.id, state.count);
    await tx.overwrite(resultCollection, [{ id, json: JSON.stringify({ id, ...result }) }]);
    noted.push(state);
  }
  return noted;
}
