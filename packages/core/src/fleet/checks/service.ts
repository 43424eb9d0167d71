import { mayAccess } from "../../directory/access/require-access.ts";
import type { Cradle } from "../../kernel/container.ts";
import { createTrials } from "../../kernel/trials.ts";
import type { Unit } from "../../kernel/unit-of-work.ts";
import type { ReadTx } from "../../ports/storage.ts";
import { createJudged, type Judged } from "../alerts/judged.ts";
import { checkIn, type Sight } from "../alerts/rules/subjects.ts";
import type { WatchedSource } from "../alerts/watched-source.ts";
import { checkCollection, resultCollection, stateCollection } from "./collection.ts";
import type { Check, CheckResult, CheckState, KeptResult } from "./model.ts";
import { results, sightOf } from "./rules/judge.ts";
import { ENGINE } from "./rules/network.ts";
import { createAsk } from "./services/ask.ts";
import { createEngineSight } from "./services/network.ts";
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
  /** What a check depends on: the server that it is meant for; undefined for what is no check. */
  parentsOf(check: string): readonly string[] | undefined;
  /** Category of the check that a place is; undefined for any other place. */
  categoryAt(place: string): string | undefined;
  titleOf(check: string | undefined): string | undefined;
  /** Checks that are asked and meant for one of the servers. */
  ofServers(servers: ReadonlySet<string>): string[];
  /** It has failed, and is asked again before that is news. */
  isRetried(tx: ReadTx, check: string): Promise<boolean>;
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
  const engine = createEngineSight(deps, judged);
  return {
    ...{ countOf, categoryOf, isCategoryUsed },
    askDue: createRounds(deps, judged, ask),
    async watch(now, signal) {
      if (!alerts.watched.isAsked("check")) return;
      // First the network: what it explains is held from the same minute on.
      const sights = await snapshot(async (tx) => [...(await engine(tx)), ...(await sightsOf(tx, judged()))]);
      await alerts.watched.look("check", sights, now, signal);
    },
    async visible(tx, actor, id) {
      const isAll = mayAccess(actor, { category: "" });
      if (id === ENGINE && isAll) return engine(tx);
      const own = id === undefined && isAll ? await engine(tx) : [];
      return [...(await sightsOf(tx, shown(actor, id))), ...own];
    },
    ...namedParts(deps),
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

const STORED: Pick<CheckService, "forget" | "isRetried" | "resultsOf"> = {
  async isRetried(tx, id) {
    const state = await tx.collection(stateCollection).get(id);
    return state !== undefined && state.failures > 0 && !state.down;
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
