import type { SilencedBy } from "../../../silences/model.ts";
import {
  delayOf,
  dependencyOf,
  inhibition,
  inhibitorsOf,
  isUnseen,
  type Standing,
  type Surroundings,
} from "../telling/holds.ts";
import { lastBy, type Stretch } from "./stretches.ts";

/** A span in which the notification of a firing is held back, with all of its holds. */
export interface HeldTime {
  readonly from: number;
  /** Absent = until the end of the examined time. */
  readonly to?: number | undefined;
  readonly hold: SilencedBy;
  readonly also: readonly SilencedBy[];
}

/** A span in which a silence, job, snooze or acknowledgement holds a firing back; absent `to` = still going on. */
export interface QuietTime {
  readonly from: number;
  readonly to?: number | undefined;
  readonly by: SilencedBy;
}

/** A past firing, with everything that its holds depend on. Unix seconds. */
export interface HoldableRun {
  readonly standing: Standing;
  readonly fired: number;
  /** Absent = live until the end. */
  readonly to?: number | undefined;
  /** For a firing that ended for lack of data: until when its real state is unknown. */
  readonly silentTo?: number | undefined;
  readonly noticeAfter: number;
  /** Quiet spans, in the order in which the contract lists their reasons. */
  readonly quiet: readonly QuietTime[];
}

export interface PastAround {
  readonly runsOn: (place: string) => readonly HoldableRun[];
  /** Spans in which alerts were true but had not fired yet. */
  readonly warmupsOn: (place: string) => readonly (Stretch & { readonly alert: string })[];
  /** Definitions that an alert depends on, directly or transitively. */
  readonly parentsOf: (alert: string) => ReadonlySet<string>;
  /** Places that a place depends on, directly or transitively. */
  readonly above: (place: string) => ReadonlySet<string>;
  /** Minutes that came from a place; undefined = the place has none that could be missing. */
  readonly seenOn: (place: string) => readonly Stretch[] | undefined;
  /** The second of a minute at which a place is evaluated. */
  readonly secondOf: (place: string, minute: number) => number;
  /** Most seconds that a firing waits for places that it may depend on to be evaluated. */
  readonly parentWait: number;
}

const MINUTE = 60;
const minuteOf = (at: number): number => Math.floor(at / MINUTE) * MINUTE;
const NEVER = Number.POSITIVE_INFINITY;
const isAt = ({ from, to = NEVER }: { readonly from: number; readonly to?: number | undefined }, at: number): boolean =>
  from <= at && at < to;

/**
 * Everything that holds notifications of a firing back, from the firing until `until`. Applies the rules for live
 * firings at each moment at which one of their inputs changes.
 */
export function holdsOver(run: HoldableRun, until: number, around: PastAround): HeldTime[] {
  const related = relatedTo(run, around);
  const found: HeldTime[] = [];
  for (const at of changesOf(run, related, until)) {
    const [hold, ...also] = holdsAt(run, related, at);
    const last = found.at(-1);
    if (last && last.to === undefined) {
      if (hold && isSame([last.hold, ...last.also], [hold, ...also])) continue;
      found[found.length - 1] = { ...last, to: at };
    }
    if (hold) found.push({ from: at, hold, also });
  }
  return found;
}

const isSame = (one: readonly SilencedBy[], two: readonly SilencedBy[]): boolean =>
  one.length === two.length && one.every(({ kind, id }, at) => kind === two[at]?.kind && id === two[at]?.id);

interface Related {
  readonly around: PastAround;
  readonly parents: ReadonlySet<string>;
  readonly upstream: ReadonlySet<string>;
  /** Firings on its place and upstream that may hold it back. */
  readonly runs: readonly HoldableRun[];
  readonly warmups: readonly Stretch[];
}

/** Firings and warm-ups that may hold the firing back, by their definitions. */
function relatedTo({ standing, fired, to }: HoldableRun, around: PastAround): Related {
  const parents = around.parentsOf(standing.alert);
  const upstream = around.above(standing.server);
  const places = [standing.server, ...upstream];
  const isConcerned = ({ standing: other }: HoldableRun): boolean =>
    other.invocation !== standing.invocation &&
    (parents.has(other.alert) ||
      (other.outage && upstream.has(other.server)) ||
      other.inhibits.includes(standing.alert) ||
      (standing.family !== undefined && other.family === standing.family));
  const isThen = (other: HoldableRun): boolean => other.fired < (to ?? NEVER) && (endOf(other) ?? NEVER) > fired;
  const runs = places.flatMap((place) => around.runsOn(place).filter((each) => isConcerned(each) && isThen(each)));
  const warmups = places.flatMap((place) =>
    around.warmupsOn(place).filter(({ alert }) => parents.has(alert) || upstream.has(place)),
  );
  return { around, parents, upstream, runs, warmups };
}

const endOf = ({ to, silentTo }: HoldableRun): number | undefined => silentTo ?? to;

/** The moments at which the holds of a firing may change, in order. */
function changesOf(run: HoldableRun, related: Related, until: number): number[] {
  const { runs, warmups, upstream, around } = related;
  const times = new Set([run.fired, ...ownTimes(run, around)]);
  for (const other of runs) for (const time of [...ownTimes(other, around), other.fired]) times.add(time);
  for (const { from, to } of warmups) times.add(from).add(to + MINUTE);
  for (const place of upstream) {
    const minute = minuteOf(run.fired);
    times.add(minute + around.secondOf(place, minute));
    for (const { from, to } of around.seenOn(place) ?? [])
      if (to >= run.fired - MINUTE && from <= run.fired + around.parentWait) times.add(from).add(to + 2 * MINUTE);
  }
  return [...times].filter((time) => time >= run.fired && time < until).toSorted((a, b) => a - b);
}

function ownTimes({ fired, to, silentTo, noticeAfter, quiet }: HoldableRun, { parentWait }: PastAround): number[] {
  const quietTimes = quiet.flatMap((each) => [each.from, each.to]);
  return [to, silentTo, fired + noticeAfter, fired + parentWait, ...quietTimes].flatMap((time) => time ?? []);
}

/** Holds in the order of the contract: age, dependency, silence or snooze, inhibition. */
function holdsAt(run: HoldableRun, related: Related, at: number): SilencedBy[] {
  const here = surroundings(run, related, at);
  const quiet = quietAt(run, at);
  const inhibitor = inhibitorsOf(here).find((other) => isTold(other, related, at));
  const all = [delayOf(here), dependencyOf(here), ...quiet, inhibitor && inhibition(inhibitor)];
  return all.flatMap((hold) => hold ?? []);
}

const quietAt = ({ quiet }: HoldableRun, at: number): SilencedBy[] =>
  quiet.filter((each) => isAt(each, at)).map(({ by }) => by);

/** A firing that is itself held back inhibits no other. */
function isTold({ invocation, server }: Standing, { around }: Related, at: number): boolean {
  const other = around.runsOn(server).find(({ standing }) => standing.invocation === invocation);
  if (!other || quietAt(other, at).length > 0) return false;
  const above = surroundings(other, relatedTo(other, around), at);
  return !delayOf(above) && !dependencyOf(above);
}

function surroundings(
  run: HoldableRun,
  { around, parents, upstream, runs, warmups }: Related,
  now: number,
): Surroundings {
  const { fired, noticeAfter, standing: firing } = run;
  const isLive = ({ fired: from, to }: HoldableRun): boolean => isAt({ from, to }, now);
  const isSilent = ({ to, silentTo }: HoldableRun): boolean =>
    to !== undefined && isAt({ from: to, to: silentTo ?? to }, now);
  return {
    firing,
    fired,
    now,
    noticeAfter,
    parents,
    upstream,
    parentWait: around.parentWait,
    live: runs.filter(isLive).map(({ standing }) => standing),
    silent: runs.filter(isSilent).map(({ standing }) => standing),
    isParentPending: isPending(fired, { around, upstream, warmups }, now),
  };
}

/** True while the state of a parent is unknown: it is warming up, or no minute has come since the firing. */
function isPending(
  fired: number,
  { around, upstream, warmups }: Omit<Related, "parents" | "runs">,
  now: number,
): boolean {
  if (warmups.some(({ from, to }) => isAt({ from, to: to + MINUTE }, now))) return true;
  return [...upstream].some((place) => {
    const seen = around.seenOn(place);
    const at = now - around.secondOf(place, minuteOf(now));
    return seen !== undefined && isUnseen(lastBy(seen, at), { since: minuteOf(fired), now: at });
  });
}
