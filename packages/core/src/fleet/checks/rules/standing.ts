import { ringOf } from "../../../lib/ring.ts";
import { sha256Hex } from "../../../lib/secrecy/hash.ts";
import type { Check, CheckResult, CheckState, PlaceState } from "../model.ts";
import { HERE, neededOf } from "./places.ts";

/** Seconds after a failure that is no news yet, unless the check says it. */
const RETRY_SEC = 20;

/** The second of its own that a check has in its `every`, so that not all are asked together for ever. */
export const ownSecond = ({ id, every }: Pick<Check, "id" | "every">): number =>
  Number.parseInt(sha256Hex(id).slice(0, 8), 16) % every;

/** Unix seconds of the next asking in turn. */
export function turnAfter(check: Pick<Check, "id" | "every">, now: number): number {
  const { every } = check;
  return now + every - ((((now - ownSecond(check)) % every) + every) % every);
}

/** States of a check's places. A state of an older release has the engine alone. */
export function placesIn(state: CheckState): readonly PlaceState[] {
  const { places, latest, failures, down } = state;
  return places ?? (latest ? [{ place: HERE, failures, down, latest }] : []);
}

export const placeIn = (state: CheckState | undefined, place: string): PlaceState | undefined =>
  state && placesIn(state).find((each) => each.place === place);

type Judged = Pick<Check, "id" | "every" | "retries" | "retry_every" | "agree">;

/** State of a place after a result from there: down after `retries` more failures, up at once with an answer. */
function afterOne(before: PlaceState | undefined, { retries }: Judged, result: CheckResult, place: string): PlaceState {
  const failures = result.ok ? 0 : (before?.failures ?? 0) + 1;
  const down = failures > retries || (!result.ok && (before?.down ?? false));
  return { place, failures, down, latest: result };
}

/** When the engine asks again. A target that is refused is not asked again before its time. */
function nextAfter(check: Judged, { failures, down }: PlaceState, { date, reason }: CheckResult): number {
  const isTriedAgain = failures > 0 && !down && reason !== "blocked";
  return isTriedAgain ? date + Math.min(check.retry_every ?? RETRY_SEC, check.every) : turnAfter(check, date);
}

/** Most places whose state is kept. */
const MOST_KEPT = 20;

const byDate = (one: PlaceState, two: PlaceState): number => (two.latest?.date ?? 0) - (one.latest?.date ?? 0);

/** The engine first. */
const byPlace = ({ place: one }: PlaceState, { place: two }: PlaceState): number =>
  Number(two === HERE) - Number(one === HERE) || (one < two ? -1 : 1);

/** State of a check after a result. */
export function afterResult(state: CheckState, check: Judged, result: CheckResult): CheckState {
  const place = result.from ?? HERE;
  const one = afterOne(placeIn(state, place), check, result, place);
  const others = placesIn(state).filter((each) => each.place !== place);
  const places = [one, ...others].sort(byDate).slice(0, MOST_KEPT).sort(byPlace);
  const { failures, isDown: down } = standingOf(check, { ...state, places }, result.date);
  const next = place === HERE ? nextAfter(check, one, result) : state.next;
  return { ...state, next, failures, down, count: state.count + 1, latest: result, places };
}

/** A place from which nothing comes, and why. */
export function withNote(state: CheckState, place: string, note: string | undefined): CheckState {
  const before = placeIn(state, place) ?? { place, failures: 0, down: false };
  const { note: _former, ...rest } = before;
  const others = placesIn(state).filter((each) => each.place !== place);
  return { ...state, places: [...others, note === undefined ? rest : { ...rest, note }] };
}

/** State of a check, judged from all places with a fresh result. */
export interface Standing {
  readonly fresh: readonly PlaceState[];
  readonly failing: readonly PlaceState[];
  readonly isDown: boolean;
  /** Failures in a row at the place with the most. */
  readonly failures: number;
  /** The result that stands for all: a failure when enough of them fail, else an answer. */
  readonly shown: CheckResult | undefined;
}

/** A result that is older than three times `every` is none. `now` is Unix seconds. */
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

/** Results of a check that are kept. */
export const results = ringOf(60);
