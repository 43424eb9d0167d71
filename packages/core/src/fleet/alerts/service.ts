import { templateFault } from "../../expressions/index.ts";
import type { Cradle } from "../../kernel/container.ts";
import type { Nightly } from "../../kernel/running/nightly.ts";
import type { Unit } from "../../kernel/transactions/unit-of-work.ts";
import { updateIfThere } from "../../kernel/transactions/update-if-there.ts";
import { faultOf } from "../../lib/message-of.ts";
import type { ReadTx } from "../../ports/storage/storage.ts";
import { monitorRecords } from "../monitors/records.ts";
import type { SilencedBy } from "../silences/model.ts";
import { alertCollection, invocationCollection } from "./collection.ts";
import type { Alert, Invocation, Notification } from "./model.ts";
import { relationFault } from "./rules/definition/relations.ts";
import type { Episode } from "./rules/evaluation/episodes.ts";
import { unknownMonitorWarnings } from "./rules/evaluation/unknown-monitors.ts";
import type { Standing } from "./rules/telling/holds.ts";
import { type Acknowledge, acknowledge, type Continued, continued } from "./services/acknowledge.ts";
import { type Backtest, createBacktest } from "./services/backtest/alert.ts";
import { minutesOf, pointsOf } from "./services/backtest/minutes.ts";
import { createReadingsAt, type ReadingsAt } from "./services/backtest/readings.ts";
import { createRunOver, type RunOver } from "./services/backtest/runs.ts";
import { serversOf } from "./services/backtest/servers-of.ts";
import { type CompiledAlerts, createCompiledAlerts, type EvaluationErrors } from "./services/evaluation/compiled.ts";
import { type AlertEvaluation, createAlertEvaluation } from "./services/evaluation/evaluation.ts";
import { type Comings, episodeAt } from "./services/evaluation/flapping.ts";
import { createPhases, type PhasesOf } from "./services/evaluation/phases.ts";
import { createPresence, type PresenceWatch } from "./services/evaluation/presence.ts";
import { createStanding, type StandingAlerts } from "./services/evaluation/standing.ts";
import { createTransitions } from "./services/evaluation/transitions.ts";
import { createWatched, type WatchedAlerts } from "./services/evaluation/watched.ts";
import { createMaintenance } from "./services/maintenance.ts";
import { createAlertData } from "./services/shown/alert-data.ts";
import { createDisplay, type Display } from "./services/shown/display.ts";
import { createExplain, createTrial, createTryOut, type Explain, type TryOut } from "./services/shown/explain.ts";
import { overlayLive, presentInvocation } from "./services/shown/overlay.ts";
import { type ActionsByProblem, createActionsByProblem } from "./services/telling/by-problem.ts";
import { createDebts, type PayDebts } from "./services/telling/debts.ts";
import { standingOf } from "./services/telling/holds.ts";
import { createNotify, type Notify } from "./services/telling/notify.ts";
import { findNoticeHolds } from "./services/telling/plan.ts";
import { createRepeats, type RepeatAll } from "./services/telling/repeats.ts";
import { dependencyFault, upstreamOf } from "./services/telling/upstream.ts";
import { type AlertTickets, alertTickets } from "./services/tickets.ts";
import { createUpkeep, type Upkeep } from "./services/upkeep.ts";

/** Behaviour of alerts over time, and the checks for saving a definition. */
export interface AlertService extends Upkeep {
  readonly evaluation: AlertEvaluation;
  readonly presence: PresenceWatch;
  readonly watched: WatchedAlerts;
  readonly notify: Notify;
  /** Template data for the firing, or the end, of an invocation; undefined when its definition is gone. */
  hookData(invocation: Invocation, about?: Partial<Notification>): Promise<Record<string, unknown> | undefined>;
  /** Servers that get no new jobs because of a live alert (docs/contract/alerts.md#jobs). */
  limitedServers(tx: ReadTx): Promise<ReadonlySet<string>>;
  /** Records jobs that were sent to a server in its live invocations, which keep the newest 100. */
  jobsSent(unit: Unit, server: string, jobs: readonly string[]): Promise<void>;
  /** All current definitions. */
  definitions(): readonly Alert[];
  /** The current definition with this id. */
  definition(id: string): Alert | undefined;
  /** Everything that holds notifications of a live invocation back, in the order of the contract. */
  noticeHolds(tx: ReadTx, invocation: Invocation): Promise<SilencedBy[]>;
  /** Phase of an alert on a subject, now and over the last eight days. */
  readonly phases: PhasesOf;
  readonly readingsAt: ReadingsAt;
  /** The flapping episode on a subject at a given time. */
  episodeAt(tx: ReadTx, comings: Comings): Promise<Episode | undefined>;
  readonly acknowledge: Acknowledge;
  readonly continued: Continued;
  /** Invocations with current messages: the stored message of a live one may be minutes old. */
  readonly present: typeof overlayLive;
  /** Display name of a server. */
  serverName: Display["server"];
  readonly tickets: AlertTickets;
  readonly byProblem: ActionsByProblem;
  errorsOf(alert: string): EvaluationErrors | undefined;
  readonly explain: Explain;
  readonly tryOut: TryOut;
  readonly backtest: Backtest;
  /** Runs definitions over many places, for callers that correlate firings. */
  readonly runOver: RunOver;
  /** The stored minutes of a server. */
  readonly minutesOf: typeof minutesOf;
  /** The stored points of any timeline. */
  readonly pointsOf: typeof pointsOf;
  /** The servers that a caller may see. */
  readonly serversOf: typeof serversOf;
  /** A firing as seen by the rules about other firings. */
  standing(alert: Alert, run: Parameters<typeof standingOf>[2]): Standing;
  /** Places that a place depends on, directly or transitively. */
  upstreamOf(tx: ReadTx, place: string): Promise<Set<string>>;
  readonly repeat: RepeatAll;
  readonly payDebts: PayDebts;
  readonly maintain: Nightly;
  /** Why an expression cannot be saved; undefined = it can. */
  expressionFault(expression: string): string | undefined;
  /** Why a definition's relations to other definitions cannot be saved; undefined = they can. */
  relationFault(alert: Alert, stored?: Alert): string | undefined;
  /**
   * Why a server or check cannot depend on the given places (ids of servers and keys of subjects); undefined = it can.
   */
  dependencyFault(
    tx: ReadTx,
    about: { readonly place: string; readonly parents: readonly string[] },
  ): Promise<string | undefined>;
  /** Why a message cannot be saved; undefined = it can. */
  messageFault(message: string): string | undefined;
  /** A sentence for each monitor that an expression reads but that does not exist. */
  unknownMonitors(expression: string): string[];
}

const JOBS_KEPT = 100;

type Deps = Pick<
  Cradle,
  | (
      | "actionRunner"
      | "activeJobs"
      | "checks"
      | "clock"
      | "codeVersion"
      | "config"
      | "definitions"
      | "deletedServers"
      | "events"
      | "expressions"
      | "ids"
    )
  | (
      | "apart"
      | "jobInbox"
      | "jobs"
      | "log"
      | "lookups"
      | "registry"
      | "servers"
      | "silences"
      | "snapshot"
      | "state"
      | "storage"
    )
  | ("ticketLinks" | "transact")
>;

export function createAlerts(deps: Deps): AlertService {
  const { definitions } = deps;
  const display = createDisplay(deps);
  const dataFor = createAlertData(deps, display);
  const compiled: CompiledAlerts = createCompiledAlerts(deps);
  const transitions = createTransitions(deps, display);
  const evaluation = createAlertEvaluation(deps, compiled, transitions);
  const presence = createPresence(deps, compiled, evaluation);
  const upkeep = createUpkeep(deps, transitions);
  const tryOut = createTryOut(deps);
  const standing = createStanding(deps);
  return {
    ...upkeep,
    evaluation,
    presence,
    watched: createWatched(deps, { compiled, evaluation, upkeep }),
    notify: createNotify(deps, dataFor),
    ...noticeParts(deps, dataFor),
    ...{ acknowledge, continued, episodeAt, present: overlayLive },
    phases: createPhases(deps),
    serverName: display.server,
    tickets: alertTickets,
    byProblem: createActionsByProblem(deps),
    errorsOf: compiled.errorsOf,
    tryOut: createTrial(deps, tryOut),
    explain: createExplain(deps, { tryOut, presence }),
    ...pastParts(deps),
    repeat: createRepeats(deps),
    payDebts: createDebts(deps),
    maintain: createMaintenance(deps),
    async limitedServers(tx) {
      const limiting = definitions.all(alertCollection).filter(({ limit_jobs }) => limit_jobs);
      if (limiting.length === 0) return new Set();
      const words = limiting.map(({ id }) => id);
      return new Set((await standing.ofAlerts(tx, words)).map(({ server }) => server));
    },
    jobsSent: (unit, server, jobs) => noteJobs(standing, unit, { server, jobs }),
    ...savingParts(deps),
  };
}

/** Members that look at the past. */
const pastParts = (
  deps: Deps,
): Pick<AlertService, "backtest" | "minutesOf" | "pointsOf" | "runOver" | "serversOf" | "standing" | "upstreamOf"> => ({
  backtest: createBacktest(deps),
  runOver: createRunOver(deps),
  ...{ minutesOf, pointsOf, serversOf },
  standing: (alert, run) => standingOf(deps, alert, run),
  upstreamOf: (tx, place) => upstreamOf(tx, deps, place),
});

/** Members that check a definition before it is saved. */
function savingParts(
  deps: Deps,
): Pick<AlertService, "dependencyFault" | "expressionFault" | "messageFault" | "relationFault" | "unknownMonitors"> {
  const { definitions, expressions } = deps;
  const isKnown = (id: string): boolean => definitions.get(monitorRecords, id) !== undefined;
  return {
    expressionFault: (expression) => faultOf(() => expressions.compile(expression)),
    relationFault: (alert, stored) => relationFault(alert, (id) => definitions.get(alertCollection, id), stored),
    dependencyFault: (tx, about) => dependencyFault(tx, deps, about),
    messageFault: (message) => templateFault(message, expressions),
    unknownMonitors: (expression) => unknownMonitorWarnings(expressions.pathsOf(expression), isKnown),
  };
}

/** Members that notices about an invocation need. */
function noticeParts(
  deps: Deps,
  dataFor: ReturnType<typeof createAlertData>,
): Pick<AlertService, "definition" | "definitions" | "hookData" | "noticeHolds" | "readingsAt"> {
  const definition = (id: string): Alert | undefined => deps.definitions.get(alertCollection, id);
  return {
    definition,
    definitions: () => deps.definitions.all(alertCollection),
    readingsAt: createReadingsAt(deps),
    async hookData(invocation, about = {}) {
      const alert = definition(invocation.alert);
      if (!alert) return undefined;
      const present = await deps.snapshot((tx) => presentInvocation(tx, invocation));
      const elapsed = about.condition === "alert_cleared" ? { elapsed: invocation.modified - invocation.date } : {};
      const notification = { invocation: invocation.id, condition: "alert_new", ...elapsed, ...about } as const;
      return dataFor({ alert, invocation: present }, notification);
    },
    async noticeHolds(tx, invocation) {
      const alert = definition(invocation.alert);
      const groups = deps.servers.anywhere(invocation.server)?.groups ?? invocation.groups;
      return alert ? findNoticeHolds(tx, deps, { alert, invocation, groups }) : [];
    },
  };
}

interface SentJobs {
  readonly server: string;
  readonly jobs: readonly string[];
}

async function noteJobs(standing: StandingAlerts, { tx }: Unit, { server, jobs }: SentJobs): Promise<void> {
  const invocations = tx.collection(invocationCollection);
  const live = await standing.ofServer(tx, server);
  // Serialises sends of jobs to one server, which otherwise would conflict over the same record.
  if (live.length > 0) await tx.lock(`alerts:jobs:${server}`);
  const noted = (stored: Invocation): Invocation => ({
    ...stored,
    jobs: [...new Set([...stored.jobs, ...jobs])].slice(-JOBS_KEPT),
  });
  for (const { invocation } of live) await updateIfThere(invocations, invocation, noted);
}
