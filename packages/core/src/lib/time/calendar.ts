/** Calendar parts of one minute, as triggers name them. */
export interface CalendarParts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** −1 = last day of the month. */
  readonly reverseDay: number;
  /** Sunday = 0. */
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
}

/**
 * Name for the zone of this machine. `Date` knows that zone without help, while the first use of `Intl` takes twenty milliseconds
 * or more, which used to be the longest part of a start.
 */
export const OWN_ZONE = "";

/** Converts instants to the wall time of a zone. */
export interface Calendar {
  /** The wall time of a whole minute, in Unix seconds as if it were UTC. */
  wallOf(minute: number, zone: string): number;
}

const MINUTE = 60;
const HOUR = 3600;
/** Hours per zone whose offset is cached: five months. */
const MAX_CACHED = 4000;
/** Zones that are cached. */
const MAX_ZONES = 150;

/**
 * Queries the platform once per zone and hour, as each query takes microseconds: if an hour begins and ends with the same offset,
 * the clocks do not change in it.
 */
export function createCalendar(): Calendar {
  const zones = new Map<string, Calendar["wallOf"]>();
  return {
    wallOf(minute, zone) {
      const known = zones.get(zone);
      if (known) return known(minute, zone);
      if (zones.size >= MAX_ZONES) zones.delete(zones.keys().next().value as string);
      const made = createZone(zone);
      zones.set(zone, made);
      return made(minute, zone);
    },
  };
}

function createZone(zone: string): Calendar["wallOf"] {
  if (zone === "UTC") return (minute) => minute;
  if (zone === OWN_ZONE) return (minute) => minute - new Date(minute * 1000).getTimezoneOffset() * MINUTE;
  const formatter = createFormatter(zone);
  const offsets = new Map<number, number>();
  const offsetOf = (hour: number): number => {
    const known = offsets.get(hour);
    if (known !== undefined) return known;
    if (offsets.size >= MAX_CACHED) offsets.clear();
    const offset = computeWall(formatter, hour * HOUR) - hour * HOUR;
    offsets.set(hour, offset);
    return offset;
  };
  return (minute) => {
    const hour = Math.floor(minute / HOUR);
    const offset = offsetOf(hour);
    return offset === offsetOf(hour + 1) ? minute + offset : computeWall(formatter, minute);
  };
}

/** Throws `RangeError` for an unknown zone. */
function createFormatter(zone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  });
}

/** Most characters of a zone's name; the longest one has 32. */
const MAX_ZONE = 100;
let primaryZones: ReadonlySet<string> | undefined;
let ownZone: string | undefined;

/** Name of this machine's zone, read once: the platform builds a formatter for it, a twelfth of a ticket's time. */
export const machineZone = (): string => {
  ownZone ??= Intl.DateTimeFormat().resolvedOptions().timeZone;
  return ownZone;
};

/** Names that are not primary ones cost a tenth of a millisecond here; our own formatter would cost three. */
export function isKnownZone(zone: string): boolean {
  // The platform's error repeats an unknown name, however long it is.
  if (zone.length > MAX_ZONE) return false;
  primaryZones ??= new Set(Intl.supportedValuesOf("timeZone"));
  if (primaryZones.has(zone)) return true;
  try {
    new Date(0).toLocaleString("en-US", { timeZone: zone });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function computeWall(formatter: Intl.DateTimeFormat, minute: number): number {
  const values: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of formatter.formatToParts(minute * 1000)) values[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute: ofHour = 0 } = values;
  return Date.UTC(year, month - 1, day, hour, ofHour) / 1000;
}

export function partsOf(wall: number): CalendarParts {
  const date = new Date(wall * 1000);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
  const daysInMonth = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return {
    year,
    month,
    day,
    reverseDay: day - daysInMonth - 1,
    weekday: date.getUTCDay(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
  };
}

/** Most seconds by which clocks go back. */
const MOST_BACK = 3 * HOUR;

/** True when clocks have shown the same wall time before, because they went back recently. */
export function isRepeated(calendar: Calendar, minute: number, zone: string): boolean {
  const wall = calendar.wallOf(minute, zone);
  const offset = wall - minute;
  const earlier = minute - MOST_BACK;
  const back = calendar.wallOf(earlier, zone) - earlier - offset;
  return back > 0 && back <= MOST_BACK && calendar.wallOf(minute - back, zone) === wall;
}

/**
 * True from the first minute in which clocks show a wall time of the same day or a later one, and still true while they repeat
 * earlier ones. A time that they skip counts as shown once they have jumped over it.
 */
export function hasShown(calendar: Calendar, wall: number, minute: number, zone: string): boolean {
  if (wall <= calendar.wallOf(minute, zone)) return true;
  const earlier = minute - MOST_BACK;
  const first = wall - (calendar.wallOf(earlier, zone) - earlier);
  return first <= minute && calendar.wallOf(first, zone) === wall;
}

/** The wall minutes skipped just before this one; empty except for the first minute after clocks went forward. */
export function skippedBefore(calendar: Calendar, minute: number, zone: string): number[] {
  const wall = calendar.wallOf(minute, zone);
  const skipped: number[] = [];
  for (let missing = calendar.wallOf(minute - MINUTE, zone) + MINUTE; missing < wall; missing += MINUTE)
    skipped.push(missing);
  return skipped;
}
