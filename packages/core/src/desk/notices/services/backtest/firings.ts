import { groupRecords } from "../../../../directory/groups/records.ts";
import type { Alert } from "../../../../fleet/alerts/model.ts";
import {
  type HeldTime,
  type HoldableRun,
  holdsOver,
  type PastAround,
  type QuietTime,
} from "../../../../fleet/alerts/rules/backtest/holds.ts";
import { firstAfter, type Stretch } from "../../../../fleet/alerts/rules/backtest/stretches.ts";
import { flapRuleOf, MOST_QUIET } from "../../../../fleet/alerts/rules/evaluation/episodes.ts";
import { samplesOf } from "../../../../fleet/alerts/rules/evaluation/evaluate.ts";
import { answeringSec, QUESTION_SEC } from "../../../../fleet/alerts/rules/telling/no-data.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import { createBreath } from "../../../../kernel/running/breath.ts";
import { dependenciesOf } from "../../../../lib/dependency-chain.ts";
import type { PastFiring, Question } from "../../rules/backtest/replay.ts";
import { firingBy } from "../problems/firings.ts";
import type { Happened, Happenings } from "./happenings.ts";
import { acknowledgedIn, type Read, recordedHolds } from "./past.ts";
import type { Silences } from "./quiet.ts";

type Deps = Pick<Cradle, "alerts" | "clock" | "config" | "definitions">;

interface Asked {
  readonly read: Read;
  readonly signal: AbortSignal;
  /** Unix seconds of the end of the back-tested time. */
  readonly to: number;
  /** The tried-out alerts by id. */
  readonly alerts: ReadonlyMap<string, Alert>;
  readonly silences: Silences;
  /** Minutes after which each firing counts as acknowledged; undefined = as in the past. */
  readonly acknowledgeAfter: number | undefined;
}

/** Past firings with all holds on them, as the rules about notices see them. */
export async function pastFirings(deps: Deps, happenings: Happenings, asked: Asked): Promise<PastFiring[]> {
  const { all, seen } = happenings;
  const { alerts, read, signal, to } = asked;
  const breathe = createBreath(deps.clock, signal);
  const recorded = await recordedHolds(
    read,
    all.flatMap(({ real }) => real?.id ?? []),
  );
  const runs = new Map<Happened, HoldableRun>();
  for (const each of all) runs.set(each, await holdable(deps, each, { ...asked, recorded, seen }));
  const around = aroundOf(deps, runs.values(), happenings, alerts);
  const found: PastFiring[] = [];
  for (const each of all.filter(({ isMeant }) => isMeant)) {
    const run = runs.get(each) as HoldableRun;
    const holds = holdsOver(run, heldUntil(run, around.runsOn(each.place), to), around);
    found.push(firingOf(deps, each, { holds, seen, acknowledgeAfter: asked.acknowledgeAfter }));
    await breathe();
    signal.throwIfAborted();
  }
  return found;
}

const MINUTE = 60;

/**
 * What surrounds the firings, for the rules about holds. A warm-up lasts until the sample that decides whether the alert fires.
 */
function aroundOf(
  { config }: Pick<Deps, "config">,
  runs: Iterable<HoldableRun>,
  { above, seen, warmups, secondOf }: Happenings,
  alerts: Asked["alerts"],
): PastAround {
  const byPlace = Map.groupBy(runs, ({ standing }) => standing.server);
  const isParent = new Set([...alerts.values()].flatMap(({ depends_on }) => depends_on ?? []));
  const holding = warmups.filter(({ alert }) => isParent.has(alert) || alerts.get(alert)?.outage);
  const timed = holding.map(({ from, to, ...warm }) => ({
    ...warm,
    from: from + secondOf(warm.place, from),
    to: to + secondOf(warm.place, to + MINUTE),
  }));
  const warm = Map.groupBy(timed, ({ place }) => place);
  return {
    runsOn: (place) => byPlace.get(place) ?? [],
    warmupsOn: (place) => warm.get(place) ?? [],
    parentsOf: remembered((id) => dependenciesOf(id, (each) => alerts.get(each)?.depends_on ?? [])),
    above: (place) => above.get(place) ?? NOTHING,
    seenOn: (place) => seen.get(place),
    secondOf,
    parentWait: config.notices.parent_wait,
  };
}

const NOTHING: ReadonlySet<string> = new Set();

function remembered<T>(find: (id: string) => T): (id: string) => T {
  const known = new Map<string, T>();
  return (id) => {
    const found = known.get(id) ?? find(id);
    known.set(id, found);
    return found;
  };
}

/** News of flapping can be held after its newest firing has ended, for as long as the quiet time that ends flapping may last. */
function heldUntil(
  { standing, fired, to = Number.POSITIVE_INFINITY }: HoldableRun,
  own: readonly HoldableRun[],
  end: number,
): number {
  const later = own.filter((each) => each.standing.alert === standing.alert && each.fired > fired);
  return Math.min(end, to + MOST_QUIET, ...later.map((each) => each.fired));
}

interface Known extends Asked {
  readonly recorded: ReadonlyMap<string, readonly QuietTime[]>;
  readonly seen: ReadonlyMap<string, readonly Stretch[]>;
}

async function holdable(
  deps: Deps,
  happened: Happened,
  { recorded, seen, silences, acknowledgeAfter }: Known,
): Promise<HoldableRun> {
  const { alert, place, id, date, fired, to, stale, real, server, subject, groups } = happened;
  const taken = acknowledgedIn(happened, acknowledgeAfter);
  const then = recorded.get(real?.id ?? "") ?? [];
  const ofKind = (kind: string): QuietTime[] => then.filter(({ by }) => by.kind === kind);
  const quiet = await silences.about(alert, { server, subject, groups });
  const back = to !== undefined && stale ? firstAfter(seen.get(place) ?? [], to - 1) : undefined;
  return {
    standing: deps.alerts.standing(alert, { server: place, invocation: id, date }),
    fired,
    to,
    noticeAfter: alert.notice_after ?? 0,
    ...(to !== undefined && stale ? { silentTo: Math.min(back ?? to + QUESTION_SEC, to + QUESTION_SEC) } : {}),
    quiet: [...(taken ? [taken.time] : []), ...ofKind("snooze"), ...quiet, ...ofKind("job")],
  };
}

interface Found extends Pick<Asked, "acknowledgeAfter"> {
  readonly holds: readonly HeldTime[];
  readonly seen: ReadonlyMap<string, readonly Stretch[]>;
}

function firingOf(deps: Deps, happened: Happened, { holds, seen, acknowledgeAfter }: Found): PastFiring {
  const { alert, id, fired, place, to, stale } = happened;
  const taken = acknowledgedIn(happened, acknowledgeAfter);
  const isTaken = taken?.isFinal && (to === undefined || (taken.time.to ?? to) >= to);
  const isQuestion = stale && to !== undefined && !deps.config.alert_stale_actions;
  return {
    invocation: id,
    from: fired,
    to,
    flapRule: flapRuleOf(alert),
    holds,
    firing: firingBy(deps.definitions.all(groupRecords), alert, happened),
    ...(isTaken ? { endsUntold: taken.time.by } : {}),
    ...(isQuestion ? { question: questionOf(alert, to, seen.get(place) ?? []) } : {}),
  };
}

/**
 * The question whether a firing that ended for missing data is over. Some minutes of data without a new firing answer it; it is
 * dropped unanswered after a day without any data.
 */
function questionOf(alert: Alert, to: number, seen: readonly Stretch[]): Question {
  const returned = firstAfter(seen, to - 1);
  const lost = to + QUESTION_SEC;
  if (returned === undefined || returned >= lost) return { lost };
  const answered = firstAfter(seen, returned + answeringSec(samplesOf(alert)) - 1);
  return { lost, returned, ...(answered === undefined ? {} : { answered }) };
}
