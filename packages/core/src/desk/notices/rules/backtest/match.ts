import type { Invocation } from "../../../../fleet/alerts/model.ts";
import { placeOf } from "../../../../fleet/alerts/rules/definition/subjects.ts";
import { firedAt } from "../../../../fleet/alerts/rules/evaluation/episodes.ts";

/** A firing that was computed from minutes. Times are Unix seconds. */
interface Run {
  readonly alert: { readonly id: string };
  readonly place: string;
  readonly fired: number;
  readonly to?: number;
}

const MINUTE = 60;
const minuteOf = (at: number): number => Math.floor(at / MINUTE) * MINUTE;
const keyOf = (alert: string, place: string): string => `${alert} ${place}`;

/**
 * Matches computed firings with recorded ones. Each recorded firing goes to the first computed one of the same alert and subject
 * that overlaps it in time.
 */
export function matched<R extends Run>(runs: readonly R[], stored: readonly Invocation[]): Map<R, Invocation> {
  const left = Map.groupBy(
    stored.toSorted((a, b) => firedAt(a) - firedAt(b)),
    (each) => keyOf(each.alert, placeOf(each)),
  );
  const found = new Map<R, Invocation>();
  for (const run of runs.toSorted((a, b) => a.fired - b.fired)) {
    const own = left.get(keyOf(run.alert.id, run.place));
    const at = own?.findIndex((each) => isSameTime(run, each)) ?? -1;
    const [real] = at < 0 ? [] : (own?.splice(at, 1) ?? []);
    if (real) found.set(run, real);
  }
  return found;
}

function isSameTime({ fired, to }: Run, real: Invocation): boolean {
  const isBefore = !real.active && real.modified < fired;
  return !isBefore && (to === undefined || minuteOf(firedAt(real)) < to);
}

/** The second of a minute at which a place was sampled, if recorded firings reveal it; else 0. */
export type SecondOf = (place: string, minute: number) => number;

/**
 * Derives seconds of samples from recorded firings. Minutes have no seconds, and thirty servers do not all report at the full
 * minute. A recorded firing that began or ended in a minute reveals when its place was sampled, for every alert on that place.
 */
export function secondsOf(stored: readonly Invocation[]): SecondOf {
  const seconds = new Map<string, number>();
  for (const invocation of stored) {
    const isSampled = !invocation.active && !invocation.stale && invocation.ended_by === undefined;
    for (const at of [firedAt(invocation), ...(isSampled ? [invocation.modified] : [])])
      seconds.set(`${placeOf(invocation)} ${minuteOf(at)}`, Math.floor(at) - minuteOf(at));
  }
  return (place, minute) => seconds.get(`${place} ${minute}`) ?? 0;
}
