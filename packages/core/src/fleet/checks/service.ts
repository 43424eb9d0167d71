import type { Caller } from "../../directory/access/require-access.ts";
import type { Cradle } from "../../kernel/container.ts";
import type { Unit } from "../../kernel/transactions/unit-of-work.ts";
import { createTrials } from "../../kernel/trials.ts";
import type { ReadTx } from "../../ports/storage/storage.ts";
import { checkIn, type Sight } from "../alerts/rules/definition/subjects.ts";
import { createJudged, type Judged } from "../alerts/subjects/judged.ts";
import type { WatchedSource } from "../alerts/subjects/watched-source.ts";
import type { SeriesAsk, TimelineColumns } from "../monitors/model.ts";
import { checkCollection } from "./collection.ts";
import type { Check, CheckResult, StoredCheck } from "./model.ts";
import { createPastOf } from "./past/minutes.ts";
import { isAskedHere } from "./rules/places.ts";
import { readCheck } from "./rules/record.ts";
import { createDeliveries, type Deliveries } from "./satellites/deliveries.ts";
import { createReception, type Receive } from "./satellites/reception.ts";
import { type Ask, createAsk } from "./services/ask.ts";
import { createNoteAndTell } from "./services/note.ts";
import { createPending } from "./services/pending.ts";
import { type AskAll, createRounds } from "./services/rounds.ts";
import { createSights, type Sights } from "./services/sights.ts";
import { createStored, type Shown } from "./services/stored.ts";

/** Behaviour of checks, for other domains and for operations. */
export interface CheckService
  extends WatchedSource,
    Pick<Judged<Check>, "categoryOf" | "isCategoryUsed">,
    Pick<Deliveries, "commandsOf" | "deliver"> {
  /** Runs the checks that are due. */
  readonly askDue: AskAll;
  /** Called when a minute of a server has been stored. */
  readonly received: Receive;
  /** Ends live alerts on checks that no longer run. */
  watch(signal: AbortSignal): Promise<void>;
  /** Probes once and stores nothing. Throws `RateError` beyond the rate per minute. */
  tryOut(check: Check, signal: AbortSignal): Promise<CheckResult>;
  /** State of a check, overall and at each place, with its results, newest first. */
  standingOf(tx: ReadTx, check: Check): Promise<Shown>;
  /** Averages of `up`, `ms` and `days_left` over time; undefined = there are no values for that time. */
  timelineOf(tx: ReadTx, check: string, ask: SeriesAsk): Promise<TimelineColumns | undefined>;
  /** Drops the state of places that the check no longer runs from. Servers of groups report again within a minute. */
  keepPlaces(unit: Pick<Unit, "tx">, check: Check): Promise<void>;
  /** Parents of a check: the server that it watches; undefined when there is no such check. */
  parentsOf(check: string): readonly string[] | undefined;
  /** Category of the check with this id; undefined when the place is no check. */
  categoryAt(place: string): string | undefined;
  titleOf(check: string | undefined): string | undefined;
  /** True when the engine is one of the places that the check runs from. */
  isAskedHere(check: string): boolean;
  /** Ids of enabled checks that watch one of the servers. */
  ofServers(servers: ReadonlySet<string>): string[];
  /**
   * True while the state since the given moment is unknown: no result has come since, or a failure is still being
   * retried.
   */
  isPending(tx: ReadTx, check: string, since: number): Promise<boolean>;
  /** Deletes everything about a check except its definition. */
  forget(unit: Pick<Unit, "tx">, check: string): Promise<void>;
}

type Deps = Pick<
  Cradle,
  | (
      | "alerts"
      | "apart"
      | "clock"
      | "config"
      | "definitions"
      | "log"
      | "monitors"
      | "nodes"
      | "servers"
      | "snapshot"
      | "storage"
    )
  | ("transact" | "vault")
  | "webHookClient"
>;

export function createChecks(deps: Deps): CheckService {
  const { alerts, snapshot } = deps;
  const { watchedOf, countOf, categoryOf, isCategoryUsed, ...stored } = createJudged(deps, checkCollection, "check");
  const judged = (): Check[] => stored.judged().map(readCheck);
  const shown = (actor: Caller, id?: string): Check[] => stored.shown(actor, id).map(readCheck);
  const ask = createAsk(deps);
  const takeTrial = createTrials(deps, "Too many trials of checks in a minute.");
  const sights = createSights(deps, { judged, shown, watchedOf });
  return {
    countOf,
    categoryOf,
    isCategoryUsed,
    ...askingParts(deps, { judged, ask, sights }),
    async watch(signal) {
      const network = await snapshot(sights.network);
      const live = [...judged().map(watchedOf), ...network.map(({ watched }) => watched)];
      await alerts.watched.keepOnly("check", live, signal);
    },
    visible: sights.visible,
    past: createPastOf(deps, judged),
    ...namedParts(deps),
    isPending: createPending(deps, judged),
    ofServers: (meant) => judged().flatMap(({ id, server }) => (server && meant.has(server) ? [id] : [])),
    tryOut(check, signal) {
      takeTrial();
      return ask(check, signal);
    },
    ...createStored(deps),
  };
}

interface Asking {
  readonly judged: () => readonly Check[];
  readonly ask: Ask;
  readonly sights: Sights;
}

/** Members that run checks, on the engine and on satellites. */
function askingParts(
  deps: Deps,
  { judged, ask, sights }: Asking,
): Pick<CheckService, "askDue" | "commandsOf" | "deliver" | "received"> {
  const { commandsOf, deliver, ...deliveries } = createDeliveries(deps, judged);
  const noteAndTell = createNoteAndTell(deps, judged);
  const sample = (unit: Unit, found: readonly Sight[]): Promise<void> =>
    deps.alerts.watched.sample(unit, "check", found, deps.clock.now());
  return {
    commandsOf,
    deliver,
    askDue: createRounds(deps, {
      judged,
      ask,
      noteAndTell,
      tell: (unit, checks, states) => sample(unit, sights.after(checks, states)),
    }),
    received: createReception(deps, {
      deliveries,
      noteAndTell,
      tell: (unit, checks, states) => sample(unit, sights.of(checks, states)),
    }),
  };
}

/** Members that read one definition, for other domains. */
function namedParts({
  definitions,
}: Pick<Deps, "definitions">): Pick<CheckService, "categoryAt" | "isAskedHere" | "parentsOf" | "titleOf"> {
  const named = (id: string | undefined): StoredCheck | undefined =>
    id === undefined ? undefined : definitions.get(checkCollection, id);
  return {
    categoryAt: (place) => named(checkIn(place))?.category,
    isAskedHere(id) {
      const check = named(id);
      return check !== undefined && isAskedHere(check);
    },
    titleOf: (id) => named(id)?.title,
    parentsOf(id) {
      const check = named(id);
      return check && (check.server ? [check.server] : []);
    },
  };
}
