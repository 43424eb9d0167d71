import type { Invocation } from "../../src/fleet/alerts/model.ts";
import { PEOPLE_AT } from "./acts/people.ts";
import { BEGIN, END, named } from "./names.ts";
import {
  type AlertPlan,
  type Cell,
  type RoutePlan,
  SAMPLED,
  type SnoozePlan,
  stateAt,
  type WatchedPlan,
} from "./plan.ts";
import { isWithin, type Span } from "./promises/spans.ts";
import type { Firing, Recorded, RouteRules, WatchedRecord } from "./record.ts";
import type { Played } from "./world.ts";

const EVER = Number.POSITIVE_INFINITY;
const WEIGHT = { info: 0, warning: 1, critical: 2 } as const;
/** Seconds; set in the configuration of these histories. */
const [SETTLE_SEC, PARENT_WAIT_SEC] = [60, 65];
/** Seconds by which the end of a hold may be noticed late, because a sample must arrive first. */
const LATE_SEC = 90;
const at = (minute: number): number => BEGIN + minute * 60 + PEOPLE_AT;

/** A firing with the plan of its alert and server. */
interface Planned {
  readonly invocation: Invocation;
  readonly plan: AlertPlan;
  readonly alert: number;
  readonly server: number;
  readonly span: Span;
}

/** Replaces the number of an alert or a server that is not part of the history, or absent. */
const NONE = -1;

/** The record of one of the histories that were played side by side. */
export function recordOf(played: Played, cell: number, plan: Cell): Recorded {
  const { rows, attempts, away, snooze } = played;
  const prefix = `c${cell}`;
  const isOwn = (id: string): boolean => new RegExp(`^${prefix}[a-z]`).test(id);
  const planned = rows.invocations.filter(({ alert }) => isOwn(alert)).map((each) => plannedOf(each, plan));
  const ids = new Set(planned.map(({ invocation }) => invocation.id));
  const notices = rows.notices.filter(({ route }) => isOwn(route));
  return {
    firings: planned.map((each) => firingOf(each, { plan, snooze, all: planned })),
    watched: plan.watched.map((each, number) => watchedOf(each, named(cell, "w", number))),
    routes: plan.routes.map((route, number) => rulesOf(route, { cell, plan, id: named(cell, "t", number) })),
    perHour: Object.fromEntries(plan.receivers.map((each, number) => [named(cell, "r", number), each.max_per_hour])),
    duties: dutiesOf(plan, cell),
    notices,
    problems: rows.problems.filter(({ route }) => isOwn(route)),
    decisions: rows.decisions.filter(({ invocation }) => ids.has(invocation)),
    attempts: attempts.filter(({ receiver }) => isOwn(receiver)),
    noFallback: rows.noFallback,
    away,
    end: END,
  };
}

/** Hand-overs of rotas for which every attempt arrives. */
const dutiesOf = ({ receivers }: Cell, cell: number): Recorded["duties"] =>
  receivers.flatMap(({ type, way, isEnabled, max_per_hour, handOver }, number) =>
    type === "rota" && way === "well" && isEnabled && max_per_hour === 0
      ? [{ receiver: named(cell, "r", number), at: BEGIN + handOver * 60 }]
      : [],
  );

const numberIn = (id: string): number => Number(id.at(-1));

function plannedOf(invocation: Invocation, { alerts, watched }: Cell): Planned {
  const number = numberIn(invocation.alert);
  const isWatched = invocation.alert.at(-2) === "w";
  const alert = isWatched ? NONE : number;
  const server = invocation.server === "" ? NONE : numberIn(invocation.server);
  const { fired = invocation.date, active, modified } = invocation;
  const span = { from: fired, to: active ? EVER : modified };
  return { invocation, plan: (isWatched ? watched[number]?.alert : alerts[number]) as AlertPlan, alert, server, span };
}

/** Seconds until a state is noticed: it is checked each minute, and the answer may take another minute. */
const SEEN_SEC = 180;

function watchedOf({ alert: { samples }, ...plan }: WatchedPlan, alert: string): WatchedRecord {
  const minutes = Array.from({ length: SAMPLED }, (_each, minute) => minute + 1);
  const begins = minutes.filter((minute) => stateAt(plan, minute) !== "well" && stateAt(plan, minute - 1) === "well");
  const ends = begins.map((from) => minutes.find((minute) => minute > from && stateAt(plan, minute) === "well"));
  const bad = begins.map((from, index) => ({ from: BEGIN + from * 60, to: at(ends[index] ?? SAMPLED + 1) }));
  return { alert, bad, within: samples * 60 + SEEN_SEC };
}

interface Around {
  readonly plan: Cell;
  readonly snooze: SnoozePlan | undefined;
  readonly all: readonly Planned[];
}

function firingOf(one: Planned, around: Around): Recorded["firings"][number] {
  const { invocation, plan, span } = one;
  const { id, alert, server, stale, continues, flapping } = invocation;
  const taken = takenTimes(one, around.plan);
  const silenced = [...silencedTimes(one, around.plan), ...snoozedTimes(around), ...quietTimes(one, around.plan)];
  const isTakenOver = invocation.acknowledged !== undefined && !invocation.acknowledged.notify_cleared;
  const firing: Firing = {
    ...{ id, alert, server, fired: span.from },
    ...(span.to === EVER ? {} : { ended: span.to }),
    ...(stale ? { isStale: true } : {}),
    ...(continues ? { continues } : {}),
    ...(flapping ? { isFlapping: true } : {}),
    ...(isTakenOver ? { isTakenOver } : {}),
    taken,
    held: silenced,
    maybeHeld: [
      ...taken,
      ...silenced,
      ...settlingTimes(one, around.plan),
      ...delays(one),
      ...parentTimes(one, around),
      ...inhibitedTimes(one, around),
    ],
  };
  return { ...firing, severity: plan.severity };
}

const delays = ({ plan, span }: Planned): Span[] =>
  plan.notice_after > 0 ? [{ from: span.from, to: span.from + plan.notice_after + 10 }] : [];

function silencedTimes({ alert, server }: Planned, { silences }: Cell): Span[] {
  // Silences in these histories name a group of servers.
  if (server === NONE) return [];
  const meant = silences.filter((each) => (each.alert ?? alert) === alert && (each.server ?? server) === server);
  return meant.map(({ from, to }) => ({ from: at(from), to: at(to) }));
}

const snoozedTimes = ({ snooze }: Around): Span[] => (snooze ? [{ from: at(snooze.from), to: at(snooze.to) }] : []);

/** Times in which a job runs on the firing's server. */
const quietTimes = ({ server }: Planned, { jobs }: Cell): Span[] =>
  jobs.filter((job) => job.server === server).map(({ from, to }) => ({ from: at(from), to: at(to) }));

/** Times after jobs that keep alerts quiet: the firing still needs a sample then, and may wait. */
const settlingTimes = (one: Planned, plan: Cell): Span[] =>
  quietTimes(one, plan).map(({ from, to }) => ({ from, to: to + SETTLE_SEC + LATE_SEC }));

/** Planned times of acknowledgement that met the firing while it was live. */
function takenTimes({ alert, server, span }: Planned, { acks }: Cell): Span[] {
  const own = acks.filter((ack) => ack.alert === alert && ack.server === server && isWithin([span], at(ack.at)));
  return own.map(({ at: from, expires, back }) => ({
    from: at(from),
    to: Math.min(expires === undefined ? EVER : at(from + expires), back === undefined ? EVER : at(from + back)),
  }));
}

/** Times in which a parent fires, on the same server or on the one that it depends on. */
function parentTimes(one: Planned, { plan, all }: Around): Span[] {
  const isBelow = plan.isChained && one.server === 1;
  if (!isBelow && !one.plan.isChild) return [];
  const parents = all.filter(({ alert, server, plan: { isOutage } }) => {
    const isAbove = isBelow && server === 0;
    return (isAbove && isOutage) || (one.plan.isChild && alert === 0 && (isAbove || server === one.server));
  });
  return [
    { from: one.span.from, to: one.span.from + PARENT_WAIT_SEC + LATE_SEC },
    ...parents.map(({ invocation, span }) => ({
      from: span.from - LATE_SEC,
      to: invocation.stale ? EVER : span.to + SETTLE_SEC + LATE_SEC,
    })),
  ];
}

function inhibitedTimes({ plan, server, span, invocation }: Planned, { all }: Around): Span[] {
  if (!plan.isFamily) return [];
  const worse = all.filter(
    (other) =>
      other.invocation.id !== invocation.id &&
      other.plan.isFamily &&
      other.server === server &&
      WEIGHT[other.plan.severity] > WEIGHT[plan.severity] &&
      other.span.to > span.from,
  );
  return worse.map((other) => ({ from: other.span.from - LATE_SEC, to: other.span.to + LATE_SEC }));
}

function rulesOf(route: RoutePlan, { cell, plan, id }: { cell: number; plan: Cell; id: string }): RouteRules {
  const { group_wait, group_interval, repeat_interval, clear, open, digest, steps, severities, change } = route;
  const able = (numbers: readonly number[]): string[] =>
    numbers.filter((number) => plan.receivers[number]?.isEnabled).map((number) => named(cell, "r", number));
  const whole = { from: BEGIN - 3600, to: EVER };
  return {
    ...{ id, group_interval, repeat_interval, clear, match: severities },
    group_wait: group_wait === "auto" ? 70 : group_wait,
    first: able((steps[0]?.to ?? []).filter((each) => change?.to.includes(each) ?? true)),
    named: able([...new Set([...steps.flatMap(({ to }) => to), ...(change?.to ?? [])])]),
    ...(change ? { changed: { at: at(change.at), before: able(steps[0]?.to ?? []), after: able(change.to) } } : {}),
    open: open ? [{ from: BEGIN + open.from * 60, to: BEGIN + open.to * 60 }] : [whole],
    ...(digest ? { digests: digest.map((minute) => BEGIN + minute * 60) } : {}),
    ...(open?.outside === "skip" ? { skips: true } : {}),
  };
}
