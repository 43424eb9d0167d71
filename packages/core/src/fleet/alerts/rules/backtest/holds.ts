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

/** A time in which a firing is held back, with all of its holds. */
export interface HeldTime {
  readonly from: number;
  /** Absent = to the end of the time that is looked at. */
  readonly to?: number | undefined;
  readonly hold: SilencedBy;
  readonly also: readonly SilencedBy[];
}

/** A time in which something is quiet about a firing; absent `to` = it goes on. */
export interface QuietTime {
  readonly from: number;
  readonly to?: number | undefined;
  readonly by: SilencedBy;
}

/** A firing of the past with all that its holds depend on. Unix seconds. */
export interface HoldableRun {
  readonly standing: Standing;
  readonly fired: number;
  /** Absent = it is live to the end. */
  readonly to?: number | undefined;
  /** After an end for want of data: the time until which its state is unknown. */
  readonly silentTo?: number | undefined;
  readonly noticeAfter: number;
  /** Quiet times in the order in which the contract names their reasons. */
  readonly quiet: readonly QuietTime[];
}

export interface PastAround {
  readonly runsOn: (place: string) => readonly HoldableRun[];
  /** Times in which alerts were true and had not fired. */
  readonly warmupsOn: (place: string) => readonly (Stretch & { readonly alert: string })[];
  /** Definitions that an alert depends on, and their own parents. */
  readonly parentsOf: (alert: string) => ReadonlySet<string>;
  /** Places that a place depends on, and their own parents. */
  readonly above: (place: string) => ReadonlySet<string>;
  /** Minutes of a place; undefined = it has none that could stay away. */
  readonly seenOn: (place: string) => readonly Stretch[] | undefined;
  /** The second of a minute in which a place is looked at. */
  readonly secondOf: (place: string, minute: number) => number;
  /** Seconds at most that a firing waits until the places it may depend on are looked at. */
  readonly parentWait: number;
}

const MINUTE = 60;
const minuteOf = (at: number): number => Math.floor(at / MINUTE) * MINUTE;
const NEVER = Number.POSITIVE_INFINITY;
const isAt = ({ from, to = NEVER }: { readonly from: number; readonly to?: number | undefined }, at: number): boolean =>
  from <= at && at < to;

/**
 * All that keeps news of a firing back, from its beginning to `until`: the rules about live firings, asked at each time at which
 * something that they look at changes.
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
  /** Firings that may keep it back, on its place and above, and the firings that keep these back. */
  readonly runs: readonly HoldableRun[];
  readonly warmups: readonly Stretch[];
}

/** Firings whose definition may keep the firing back. */
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

/** Times at which something may change for a firing, in order. */
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

/** Holds in the order of the contract: age, dependency, silence or snooze, inhibiting firing. */
function holdsAt(run: HoldableRun, related: Related, at: number): SilencedBy[] {
  const here = surroundings(run, related, at);
  const quiet = quietAt(run, at);
  const inhibitor = inhibitorsOf(here).find((other) => isTold(other, related, at));
  const all = [delayOf(here), dependencyOf(here), ...quiet, inhibitor && inhibition(inhibitor)];
  return all.flatMap((hold) => hold ?? []);
}

const quietAt = ({ quiet }: HoldableRun, at: number): SilencedBy[] =>
  quiet.filter((each) => isAt(each, at)).map(({ by }) => by);

/** A firing that is held itself holds no other. */
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
    ...{ firing, fired, now, noticeAfter, parents, upstream, parentWait: around.parentWait },
    live: runs.filter(isLive).map(({ standing }) => standing),
    silent: runs.filter(isSilent).map(({ standing }) => standing),
    isParentPending: isPending(fired, { around, upstream, warmups }, now),
  };
}

/** The state of a parent is not known yet: it is warming up, or no minute came since the firing. */
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
