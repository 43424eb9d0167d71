/** A time as a form shows it, `2026-11-24T09:30`, in a zone. */
export function wallTime(epoch: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat("en-CA", {
    ...{
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
    },
  }).formatToParts(epoch * 1000);
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.find((each) => each.type === type)?.value ?? "";
  return `${part("year")}-${part("month")}-${part("day")}T${part("hour")}:${part("minute")}`;
}

/** The Unix seconds of such a time; of an hour that is left out the one after it. Undefined for what is no time. */
export function epochOf(wall: string, timeZone: string): number | undefined {
  const asUtc = Date.parse(`${wall}Z`) / 1000;
  if (!Number.isFinite(asUtc)) return undefined;
  // The offset depends on the time itself, so it is looked up at the first guess and again at the second.
  const offsetAt = (at: number): number => Date.parse(`${wallTime(at, timeZone)}Z`) / 1000 - Math.floor(at / 60) * 60;
  const guess = asUtc - offsetAt(asUtc);
  return asUtc - offsetAt(guess);
}
