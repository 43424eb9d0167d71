import { isInWindow } from "../../../../fleet/silences/rules/in-force.ts";
import type { Calendar } from "../../../../lib/time/calendar.ts";
import type { Rota, RotaLayer, RotaOverride } from "../../model.ts";

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

type Duty = Pick<Rota, "timezone" | "layers" | "overrides">;

/** Name of the person on duty at a time in Unix seconds; undefined = none. */
export function onDuty(rota: Duty, at: number, calendar: Calendar): string | undefined {
  const planned = plannedAt(rota, at, calendar);
  const holds = ({ start, end, instead_of }: RotaOverride): boolean =>
    at >= start && at < end && (instead_of === undefined || instead_of === planned);
  return rota.overrides?.findLast(holds)?.user ?? planned;
}

/** The person according to the layers, without overrides. The first layer that applies at this time decides. */
function plannedAt({ timezone: zone, layers }: Duty, at: number, calendar: Calendar): string | undefined {
  const wall = latestWall(at, zone, calendar);
  const counts = ({ only }: RotaLayer): boolean =>
    !only?.length || only.some((window) => isInWindow(window, at, { calendar, zone }));
  for (const layer of layers) {
    const turn = turnAt(layer, wall);
    if (turn >= 0 && counts(layer)) return layer.users[turn % layer.users.length];
  }
  return undefined;
}

/** Number of turns since the first handover, by wall-clock time; negative before it. */
function turnAt({ turn, every, handover, start }: RotaLayer, wall: number): number {
  const [hours = 0, minutes = 0] = handover.at.split(":").map(Number);
  const first = Date.parse(`${start}T00:00Z`) / 1000 + hours * HOUR + minutes * MINUTE;
  const length = turn === "week" ? 7 * DAY : DAY;
  return Math.floor(Math.floor((wall - first) / length) / every);
}

/**
 * The latest wall-clock time reached so far. When clocks go back, one hour occurs twice; a person who came on duty in its first
 * pass stays on duty in the second.
 */
function latestWall(at: number, zone: string, calendar: Calendar): number {
  const minute = Math.floor(at / MINUTE) * MINUTE;
  const wall = calendar.wallOf(minute, zone);
  if (calendar.wallOf(minute - HOUR, zone) <= wall - HOUR) return wall;
  const before = Array.from({ length: 60 }, (_each, ago) => calendar.wallOf(minute - (ago + 1) * MINUTE, zone));
  return Math.max(wall, ...before);
}

/** A period with the same person on duty; Unix seconds. Without a user, nobody is. */
export interface Shift {
  readonly start: number;
  readonly end: number;
  readonly user?: string;
}

/** Sampling step in seconds; windows shorter than this may be missed. */
const STEP = 900;

/**
 * The shifts from one time to another, to the minute. Yields after each step, since three months of a large rota take a second.
 */
export function* shiftsOf(rota: Duty, from: number, to: number, calendar: Calendar): Generator<void, Shift[]> {
  const at = (time: number): string | undefined => onDuty(rota, time, calendar);
  const marks = (rota.overrides ?? [])
    .flatMap(({ start, end }) => [start, end])
    .filter((time) => time > from && time < to);
  const first = Math.floor(from / STEP) * STEP;
  const steps = Array.from({ length: Math.ceil((to - first) / STEP) }, (_each, step) => first + step * STEP);
  const times = [...new Set([from, ...steps.slice(1), ...marks, to])].toSorted((a, b) => a - b);
  const shifts: Shift[] = [];
  let start = from;
  let user = at(from);
  const close = (end: number): void => void shifts.push({ start, end, ...(user === undefined ? {} : { user }) });
  for (const [index, time] of times.entries()) {
    yield;
    const next = time >= to ? user : at(time);
    if (next === user) continue;
    const change = changeBetween(times[index - 1] ?? from, time, (moment) => at(moment) === user);
    close(change);
    [start, user] = [change, next];
  }
  close(to);
  return shifts;
}

/**
 * The first full minute at which a condition no longer holds, or `after`, which need not be a full minute, if that is the first
 * such time.
 */
function changeBetween(before: number, after: number, isSo: (time: number) => boolean): number {
  let [low, high] = [Math.floor(before / MINUTE) * MINUTE, after];
  while (high - low > MINUTE) {
    const middle = low + Math.max(1, Math.floor((high - low) / 2 / MINUTE)) * MINUTE;
    if (isSo(middle)) low = middle;
    else high = middle;
  }
  return high;
}

/** Replaces the shifts of users who are not there with gaps. */
export function withGaps(shifts: readonly Shift[], isThere: (user: string) => boolean): Shift[] {
  const kept: Shift[] = [];
  for (const { user, ...times } of shifts) {
    const last = kept.at(-1);
    if (user !== undefined && isThere(user)) kept.push({ ...times, user });
    else if (last && last.user === undefined) kept[kept.length - 1] = { ...last, end: times.end };
    else kept.push(times);
  }
  return kept;
}
