/** Formats times for a time zone; all arguments are Unix seconds. */
export interface Times {
  /** "14:03"; with the date if it is another day: "14:03 on 24 Nov". */
  readonly at: (seconds: number) => string;
  /** "14:03:20". */
  readonly exact: (seconds: number) => string;
  /** "Monday 08:00". */
  readonly day: (seconds: number) => string;
}

/** Formats for a time zone; absent = the zone of this machine. `now` decides which day is today. */
export function timesIn(timeZone: string | undefined, now: number): Times {
  const zone = timeZone === undefined ? {} : { timeZone };
  const write = (options: Intl.DateTimeFormatOptions): ((seconds: number) => string) => {
    const format = new Intl.DateTimeFormat("en-GB", { ...options, ...zone });
    return (seconds) => format.format(seconds * 1000);
  };
  const minute = write({ hour: "2-digit", minute: "2-digit" });
  const date = write({ day: "numeric", month: "short" });
  const weekday = write({ weekday: "long" });
  return {
    at: (seconds) => (date(seconds) === date(now) ? minute(seconds) : `${minute(seconds)} on ${date(seconds)}`),
    exact: write({ hour: "2-digit", minute: "2-digit", second: "2-digit" }),
    day: (seconds) => `${weekday(seconds)} ${minute(seconds)}`,
  };
}

const UNITS = [
  [3600, "hour"],
  [60, "minute"],
  [1, "second"],
] as const;

/**
 * A span like "90 seconds", "15 minutes" or "1 hour", in the largest unit with a whole number; above 120 seconds at least in
 * minutes.
 */
export function span(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [size, name] = UNITS.find(([each]) => whole >= each && whole % each === 0) ?? [1, "second"];
  const [rough, roughName] = whole > 120 && size === 1 ? [60, "minute"] : [size, name];
  return many(Math.floor(whole / rough), roughName);
}

/** "silenced until 14:03", for a firing that lasted longer than a silence or snooze. */
export const lateText = (
  { kind, until = 0 }: { readonly kind: string; readonly until?: number | undefined },
  { at }: Times,
) => `${kind === "snooze" ? "snoozed" : "silenced"} until ${at(until)}`;

/** "1 server", "2 servers". */
export const many = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** "once", "twice", then "3 times". */
export const times = (count: number): string => ["", "once", "twice"][count] ?? `${count} times`;
