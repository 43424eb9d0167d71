const DAY = 86_400;

const made = new Map<string, Intl.DateTimeFormat>();

function partsOf(zone: string): Intl.DateTimeFormat {
  const found =
    made.get(zone) ??
    new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
  made.set(zone, found);
  return found;
}

/** Seconds by which a zone's local time is ahead of UTC at a moment. */
export function offsetAt(epoch: number, zone: string): number {
  const parts = Object.fromEntries(
    partsOf(zone)
      .formatToParts(epoch * 1000)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - Math.floor(epoch);
}

/**
 * The moment at which the zone's clock shows `wall`, in seconds since 1970. A time that the clock skips counts as if it had not
 * gone forward.
 */
export function epochOf(wall: number, zone: string): number {
  // The offset depends on the moment itself, so it is taken at the first guess and again at the second.
  const first = offsetAt(wall, zone);
  const second = offsetAt(wall - first, zone);
  const isSkipped = offsetAt(wall - second, zone) !== second;
  return wall - (isSkipped ? Math.min(first, second) : second);
}

/** True if this browser knows the zone. */
export function isZone(zone: string): boolean {
  try {
    partsOf(zone);
    return true;
  } catch {
    // The constructor reports an unknown zone only by throwing.
    return false;
  }
}

/** A moment as the value of a datetime-local field: 2026-11-24T13:37. */
export const toInput = (epoch: number, zone: string): string =>
  new Date((epoch + offsetAt(epoch, zone)) * 1000).toISOString().slice(0, 16);

/** The moment that such a value means in a zone; undefined when it is empty or malformed. */
export function fromInput(text: string, zone: string): number | undefined {
  const wall = Date.parse(`${text}Z`) / 1000;
  return Number.isNaN(wall) ? undefined : epochOf(wall, zone);
}

/** Seconds by which the clock of a zone goes forward on the day of a moment; 0 on usual days, negative when it goes back. */
export function clockChange(epoch: number, zone: string): number {
  const midnight = epoch - ((((epoch + offsetAt(epoch, zone)) % DAY) + DAY) % DAY);
  return offsetAt(midnight + DAY + 3600, zone) - offsetAt(midnight - 3600, zone);
}
