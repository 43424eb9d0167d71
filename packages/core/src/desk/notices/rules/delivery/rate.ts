import type { Receiver } from "../../model.ts";
import type { LastInHour } from "./last-in-hour.ts";

const DEFAULT_PER_HOUR = 30;

/** Defaults by type. Programs, not people, read notices of the first three; text messages cost money. */
const BY_TYPE: Readonly<Partial<Record<Receiver["type"], number>>> = {
  web_hook: 0,
  pagerduty: 0,
  opsgenie: 0,
  sms: 10,
};

/** Maximum notices within an hour; 0 = any number. Twice as many critical ones are allowed. */
export function perHourOf(receiver: Pick<Receiver, "type" | "max_per_hour"> | undefined, severity: string): number {
  const most = receiver?.max_per_hour ?? (receiver && BY_TYPE[receiver.type]) ?? DEFAULT_PER_HOUR;
  return severity === "critical" ? most * 2 : most;
}

/** Notices of the last hour. */
export interface Usage {
  readonly count: number;
  /** Unix seconds of the oldest one; now = there is none. */
  readonly oldest: number;
}

export const HOUR = 3600;

/** The bound that the next notice reaches, if it is the last one allowed; critical ones may follow until their own bound. */
export function lastInHour(
  receiver: Pick<Receiver, "type" | "max_per_hour"> | undefined,
  { count, oldest }: Usage,
): Pick<LastInHour, "until" | "but_critical"> | undefined {
  const [most, critical] = [perHourOf(receiver, "warning"), perHourOf(receiver, "critical")];
  const place = count + 1;
  if (most === 0 || (place !== most && place !== critical)) return undefined;
  return { until: oldest + HOUR, ...(place < critical ? { but_critical: true } : {}) };
}
