import type { Cradle } from "../../kernel/container.ts";
import { createTrials } from "../../kernel/trials.ts";
import type { Unit } from "../../kernel/unit-of-work.ts";
import type { ReadTx } from "../../ports/storage.ts";
import { createJudged, type Judged } from "../alerts/judged.ts";
import { checkIn } from "../alerts/rules/subjects.ts";
import type { WatchedSource } from "../alerts/watched-source.ts";
import { checkCollection, resultCollection, stateCollection } from "./collection.ts";
import type { Check, CheckResult, CheckState, KeptResult } from "./model.ts";
import { results } from "./rules/judge.ts";
import { createAsk } from "./services/ask.ts";
import { createPending } from "./services/pending.ts";
import { type AskAll, createRounds } from "./services/rounds.ts";
import { createSights } from "./services/sights.ts";

/** Addresses that the engine asks. */
export interface CheckService extends WatchedSource, Pick<Judged<Check>, "categoryOf" | "isCategoryUsed"> {
  /** Asks the checks that are due. */
  readonly askDue: AskAll;
  /** Ends what is live on checks that are not asked any more. */
  watch(signal: AbortSignal): Promise<void>;
  /** Asks once, and stores nothing. Throws `RateError` for too many in a minute. */
  tryOut(check: Check, signal: AbortSignal): Promise<CheckResult>;
  /** The state, and the results, newest first. */
  resultsOf(tx: ReadTx, check: string): Promise<{ state: CheckState | undefined; results: CheckResult[] }>;
  /** What a check depends on: the server that it is meant for; undefined for what is no check. */
  parentsOf(check: string): readonly string[] | undefined;
  /** Category of the check that a place is; undefined for any other place. */
  categoryAt(place: string): string | undefined;
  titleOf(check: string | undefined): string | undefined;
  /** Checks that are asked and meant for one of the servers. */
  ofServers(servers: ReadonlySet<string>): string[];
  /** Nobody knows yet how it is since a moment: it was not asked since, or is asked again before a failure is news. */
  isPending(tx: ReadTx, check: string, since: number): Promise<boolean>;
  /** Everything but the definition. */
  forget(unit: Pick<Unit, "tx">, check: string): Promise<void>;
}

type Deps = Pick<
  Cradle,
  "alerts" | "clock" | "config" | "definitions" | "log" | "snapshot" | "transact" | "vault" | "webHookClient"
>;

export function createChecks(deps: Deps): CheckService {
  const { alerts, snapshot } = deps;
  const { judged, shown, watchedOf, countOf, categoryOf, isCategoryUsed } = createJudged(
    deps,
    checkCollection,
    "check",
  );
  const ask = createAsk(deps);
  const takeTrial = createTrials(deps, "Too many trials of checks in a minute.");
  const sights = createSights(deps, { judged, shown, watchedOf });
  return {
    ...{ countOf, categoryOf, isCategoryUsed },
    askDue: createRounds(deps, {
      ...{ judged, ask },
      async tell(unit, checks, states) {
        await alerts.watched.sample(unit, "check", sights.after(checks, states), deps.clock.now());
      },
    }),
    async watch(signal) {
      const network = await snapshot(sights.network);
      const shown = [...judged().map(watchedOf), ...network.map(({ watched }) => watched)];
      await alerts.watched.keepOnly("check", shown, signal);
    },
    visible: sights.visible,
    ...namedParts(deps),
    isPending: createPending(deps, judged),
    ofServers: (meant) => judged().flatMap(({ id, server }) => (server && meant.has(server) ? [id] : [])),
    tryOut(check, signal) {
      takeTrial();
      return ask(check, signal);
    },
    ...STORED,
  };
}

/** What others ask of a definition. */
function namedParts({
  definitions,
}: Pick<Deps, "definitions">): Pick<CheckService, "categoryAt" | "parentsOf" | "titleOf"> {
  const named = (id: string | undefined): Check | undefined =>
    id === undefined ? undefined : definitions.get(checkCollection, id);
  return {
    categoryAt: (place) => named(checkIn(place))?.category,
    titleOf: (id) => named(id)?.title,
    parentsOf(id) {
      const check = named(id);
      return check && (check.server ? [check.server] : []);
    },
  };
}

const shownResult = ({ id: _kept, ...result }: KeptResult): CheckResult => result;

const STORED: Pick<CheckService, "forget" | "resultsOf"> = {
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
