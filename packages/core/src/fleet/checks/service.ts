import type { Cradle } from "../../kernel/container.ts";
import { createTrials } from "../../kernel/trials.ts";
import type { Unit } from "../../kernel/unit-of-work.ts";
import type { ReadTx } from "../../ports/storage.ts";
import { createJudged, type Judged } from "../alerts/judged.ts";
import type { Sight } from "../alerts/rules/subjects.ts";
import type { WatchedSource } from "../alerts/watched-source.ts";
import { checkCollection, resultCollection, stateCollection } from "./collection.ts";
import type { Check, CheckResult, CheckState, KeptResult } from "./model.ts";
import { results, sightOf } from "./rules/judge.ts";
import { createAsk } from "./services/ask.ts";
import { type AskAll, createRounds } from "./services/rounds.ts";

/** Addresses that the engine asks. */
export interface CheckService extends WatchedSource, Pick<Judged<Check>, "categoryOf" | "isCategoryUsed"> {
  /** Asks the checks that are due. */
  readonly askDue: AskAll;
  /** Shows the checks to their alerts. */
  watch(now: number, signal: AbortSignal): Promise<void>;
  /** Asks once, and stores nothing. Throws `RateError` for too many in a minute. */
  tryOut(check: Check, signal: AbortSignal): Promise<CheckResult>;
  /** The state, and the results, newest first. */
  resultsOf(tx: ReadTx, check: string): Promise<{ state: CheckState | undefined; results: CheckResult[] }>;
  /** Everything but the definition. */
  forget(unit: Pick<Unit, "tx">, check: string): Promise<void>;
}

type Deps = Pick<
  Cradle,
  "alerts" | "clock" | "config" | "definitions" | "log" | "snapshot" | "transact" | "webHookClient"
>;

export function createChecks(deps: Deps): CheckService {
  const { alerts, clock, snapshot } = deps;
  const { judged, shown, watchedOf, countOf, categoryOf, isCategoryUsed } = createJudged(
    deps,
    checkCollection,
    "check",
  );
  const ask = createAsk(deps);
  const takeTrial = createTrials(deps, "Too many trials of checks in a minute.");
  const sightsOf = async (tx: ReadTx, checks: readonly Check[]): Promise<Sight[]> => {
    const states = await tx.collection(stateCollection).getMany(checks.map(({ id }) => id));
    const now = clock.now();
    return checks.map((check, at) => ({ watched: watchedOf(check), context: sightOf(check, states[at], now) }));
  };
  return {
    ...{ countOf, categoryOf, isCategoryUsed },
    askDue: createRounds(deps, judged, ask),
    async watch(now, signal) {
      if (!alerts.watched.isAsked("check")) return;
      const sights = await snapshot((tx) => sightsOf(tx, judged()));
      await alerts.watched.look("check", sights, now, signal);
    },
    visible: (tx, actor, id) => sightsOf(tx, shown(actor, id)),
    tryOut(check, signal) {
      takeTrial();
      return ask(check, signal);
    },
    async resultsOf(tx, check) {
      const state = await tx.collection(stateCollection).get(check);
      const rows = state ? await tx.collection(resultCollection).getMany(results.idsOf(state)) : [];
      return { state, results: rows.flatMap((row) => (row ? [shownResult(row)] : [])) };
    },
    async forget({ tx }, check) {
      const state = await tx.collection(stateCollection).get(check);
      if (!state) return;
      await tx.collection(resultCollection).deleteMany(results.idsOf(state));
      await tx.collection(stateCollection).delete(check);
    },
  };
}

const shownResult = ({ id: _kept, ...result }: KeptResult): CheckResult => result;
