const DAY = 86_400;

const made = new Map<string, Intl.DateTimeFormat>();

function partsOf(zone: string): Intl.DateTimeFormat {
  const found =
    made.get(zone) ??
    new Intl.DateTimeFormat("en-US", {
      ...{ timeZone: zone, hourCycle: "h23", year: "numeric", month: "2-digit", day: "2-digit" },
      ...{ hour: "2-digit", minute: "2-digit", second: "2-digit" },
    });
  made.set(zone, found);
  return found;
}

/** Seconds by which the wall clock of a zone is ahead of UTC at a moment. */
export function offsetAt(epoch: number, zone: string): number {
  const parts = Object.fromEntries(
    partsOf(zone)
      .formatToParts(epoch * 1000)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - Math.floor(epoch);
}

/** The moment at which a wall clock shows so many seconds since 1970; for a time that is skipped, as if the clock had not gone forward. */
export function epochOf(wall: number, zone: string): number {
  // The offset depends on the moment itself, so it is looked up at the first guess and again at the second.
  const first = offsetAt(wall, zone);
  const second = offsetAt(wall - first, zone);
  const isSkipped = offsetAt(wall - second, zone) !== second;
  return wall - (isSkipped ? Math.min(first, second) : second);
}

/** True for a zone that this browser knows. */
export function isZone(zone: string): boolean {
  try {
    partsOf(zone);
    return true;
  } catch {
    // The constructor says no in no other way.
    return false;
  }
}

/** A moment as a field of the type datetime-local holds it: 2026-11-24T13:37. */
export const toInput = (epoch: number, zone: string): string =>
  new Date((epoch + offsetAt(epoch, zone)) * 1000).toISOString().slice(0, 16);

/** The moment that such a field means in a zone; undefined when it is empty or no time. */
export function fromInput(text: string, zone: string): number | undefined {
  const wall = Date.parse(`${text}Z`) / 1000;
  return Number.isNaN(wall) ? undefined : epochOf(wall, zone);
}

/** The change of the clock on the day of a moment in a zone: how much it goes forward, in seconds; 0 on usual days. */
export function clockChange(epoch: number, zone: string): number {
  const midnight = epoch - ((((epoch + offsetAt(epoch, zone)) % DAY) + DAY) % DAY);
  return offsetAt(midnight + DAY + 3600, zone) - offsetAt(midnight - 3600, zone);
}
