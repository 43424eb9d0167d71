/** How dates in texts are written: `[yyyy]`, `[mmm]` and the other placeholders of docs/contract/mail.md#content. */
export interface DateStyle {
  /** IANA name; undefined = the time zone of the machine. */
  readonly timeZone: string | undefined;
  /** Locale for the names of months and days. */
  readonly locale: string;
}

const padded = (value: number): string => String(value).padStart(2, "0");

/** Replaces the placeholders of a format; other text is unchanged. `epoch` is in Unix seconds. */
export function formatDate(format: string, epoch: number, style: DateStyle): string {
  const places = placesOf(epoch, style);
  return format.replace(/\[(\w{2,6})\]/g, (whole, name: string) =>
    Object.hasOwn(places, name) ? (places[name] ?? whole) : whole,
  );
}

function placesOf(epoch: number, { timeZone, locale }: DateStyle): Readonly<Record<string, string>> {
  const zone = timeZone === undefined ? {} : { timeZone };
  const date = new Date(epoch * 1000);
  if (Number.isNaN(date.getTime())) return {};
  const parts = partsOf(date, zone);
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts;
  const named = (options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat(locale, { calendar: "gregory", ...options, ...zone }).format(date);
  return {
    yyyy: String(year),
    yy: padded(year % 100),
    mm: padded(month),
    mon: String(month),
    mmm: named({ month: "short" }),
    mmmm: named({ month: "long" }),
    dd: padded(day),
    mday: String(day),
    ddd: named({ weekday: "short" }),
    dddd: named({ weekday: "long" }),
    hh: padded(hour),
    hour12: String(hour % 12 || 12),
    mi: padded(minute),
    ss: padded(second),
    ampm: hour < 12 ? "am" : "pm",
    AMPM: hour < 12 ? "AM" : "PM",
  };
}

function partsOf(date: Date, zone: { timeZone?: string }): Partial<Record<Intl.DateTimeFormatPartTypes, number>> {
  const numeric = "numeric" as const;
  const format = new Intl.DateTimeFormat("en-US", {
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    ...zone,
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  });
  return Object.fromEntries(format.formatToParts(date).map(({ type, value }) => [type, Number(value)]));
}
