import { ringOf } from "../../../lib/ring.ts";
import { sha256Hex } from "../../../lib/secrecy/hash.ts";
import type { Check, CheckResult, CheckState, PlaceState } from "../model.ts";
import { HERE, neededOf } from "./places.ts";

/** Default of `retry_every`: seconds between a failure within `retries` and the next probe. */
const RETRY_SEC = 20;

/** Each check has a fixed second within its `every`, derived from its id, so that checks do not all run at once. */
export const ownSecond = ({ id, every }: Pick<Check, "id" | "every">): number =>
  Number.parseInt(sha256Hex(id).slice(0, 8), 16) % every;

/** Unix seconds of the check's next regular turn. */
export function turnAfter(check: Pick<Check, "id" | "every">, now: number): number {
  const { every } = check;
  return now + every - ((((now - ownSecond(check)) % every) + every) % every);
}

/** States of a check's places. A state written by an older release has only the engine. */
export function placesIn(state: CheckState): readonly PlaceState[] {
  const { places, latest, failures, down } = state;
  return places ?? (latest ? [{ place: HERE, failures, down, latest }] : []);
}

export const placeIn = (state: CheckState | undefined, place: string): PlaceState | undefined =>
  state && placesIn(state).find((each) => each.place === place);

type Judged = Pick<Check, "id" | "every" | "retries" | "retry_every" | "agree">;

/**
 * State of a place after a result: it goes down after `retries` further failures, and up again with the first success.
 */
function afterOne(before: PlaceState | undefined, { retries }: Judged, result: CheckResult, place: string): PlaceState {
  const failures = result.ok ? 0 : (before?.failures ?? 0) + 1;
  const down = failures > retries || (!result.ok && (before?.down ?? false));
  return { place, failures, down, latest: result };
}

/** Unix seconds of the engine's next probe. A target that is not allowed is not retried before its regular turn. */
function nextAfter(check: Judged, { failures, down }: PlaceState, { date, reason }: CheckResult): number {
  const isTriedAgain = failures > 0 && !down && reason !== "blocked";
  return isTriedAgain ? date + Math.min(check.retry_every ?? RETRY_SEC, check.every) : turnAfter(check, date);
}

/** Most places whose state is kept per check. */
const MOST_KEPT = 20;

const byDate = (one: PlaceState, two: PlaceState): number => (two.latest?.date ?? 0) - (one.latest?.date ?? 0);

/** Sorts the engine first. */
const byPlace = ({ place: one }: PlaceState, { place: two }: PlaceState): number =>
  Number(two === HERE) - Number(one === HERE) || (one < two ? -1 : 1);

/** State of a check after a new result. */
export function afterResult(state: CheckState, check: Judged, result: CheckResult): CheckState {
  const place = result.from ?? HERE;
  const one = afterOne(placeIn(state, place), check, result, place);
  const others = placesIn(state).filter((each) => each.place !== place);
  const places = [one, ...others].sort(byDate).slice(0, MOST_KEPT).sort(byPlace);
  const { failures, isDown: down } = standingOf(check, { ...state, places }, result.date);
  const next = place === HERE ? nextAfter(check, one, result) : state.next;
  return { ...state, next, failures, down, count: state.count + 1, latest: result, places };
}

/** Sets or clears the note that says why a place sends no results. */
export function withNote(state: CheckState, place: string, note: string | undefined): CheckState {
  const before = placeIn(state, place) ?? { place, failures: 0, down: false };
  const { note: _former, ...rest } = before;
  const others = placesIn(state).filter((each) => each.place !== place);
  return { ...state, places: [...others, note === undefined ? rest : { ...rest, note }] };
}

/** Verdict about a check over all places with a fresh result. */
export interface Standing {
  readonly fresh: readonly PlaceState[];
  readonly failing: readonly PlaceState[];
  readonly isDown: boolean;
  /** Most consecutive failures at any place. */
  readonly failures: number;
  /** The result that represents all places: a failure when enough of them fail, else a success. */
  readonly shown: CheckResult | undefined;
}

/** Judges a check over its places. Results older than three times `every` do not count. `now` is Unix seconds. */
export function standingOf(
  check: Pick<Check, "every" | "agree">,
  state: CheckState | undefined,
  now: number,
): Standing {
  const places = state ? placesIn(state) : [];
  const fresh = places.filter(({ latest }) => latest && now - latest.date <= 3 * check.every);
  const failing = fresh.filter(({ latest }) => !latest?.ok);
  const needed = neededOf(check, fresh.length);
  const isFailing = needed > 0 && failing.length >= needed;
  const telling = isFailing ? failing : fresh.filter(({ latest }) => latest?.ok);
  return {
    fresh,
    failing,
    isDown: needed > 0 && fresh.filter(({ down }) => down).length >= needed,
    failures: Math.max(0, ...fresh.map(({ failures }) => failures)),
    shown: [...telling].sort(byDate)[0]?.latest,
  };
}

export const newState = (id: string, now: number): CheckState => ({
  id,
  next: now,
  failures: 0,
  down: false,
  count: 0,
});

/** Ring of the newest results of each check. */
export const results = ringOf(60);
