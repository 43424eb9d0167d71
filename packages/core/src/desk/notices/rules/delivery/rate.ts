import type { Receiver } from "../../model.ts";

const DEFAULT_PER_HOUR = 30;

/** Programs read the first, and text messages cost money. */
const BY_TYPE: Readonly<Partial<Record<Receiver["type"], number>>> = {
  ...{ web_hook: 0, pagerduty: 0, opsgenie: 0, sms: 10 },
};

/** Notices within an hour; 0 = any number. Critical ones may be twice as many. */
export function perHourOf(receiver: Pick<Receiver, "type" | "max_per_hour"> | undefined, severity: string): number {
  const most = receiver?.max_per_hour ?? (receiver && BY_TYPE[receiver.type]) ?? DEFAULT_PER_HOUR;
  return severity === "critical" ? most * 2 : most;
}
