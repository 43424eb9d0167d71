import type { Receiver } from "../../model.ts";
import type { Service } from "../providers/names.ts";

/** How many requests a service accepts at once, and how many seconds it needs for each. */
export interface Pace {
  readonly burst: number;
  readonly everySec: number;
}

const ONCE_A_SECOND: Pace = { burst: 1, everySec: 1 };
/** Telegram accepts twenty messages a minute in a group. */
const TELEGRAM_GROUP: Pace = { burst: 1, everySec: 3 };

const PACES: Readonly<Record<Service, Pace>> = {
  slack: ONCE_A_SECOND,
  teams: ONCE_A_SECOND,
  discord: ONCE_A_SECOND,
  telegram: ONCE_A_SECOND,
  opsgenie: ONCE_A_SECOND,
  matrix: ONCE_A_SECOND,
  pagerduty: { burst: 2, everySec: 0.5 },
  ntfy: { burst: 10, everySec: 5 },
};

type Paced = Pick<Receiver, "type" | "format" | "settings">;

/** Pace of the service behind a receiver; undefined = no pace is required. */
export function paceOf({ type, format, settings }: Paced): Pace | undefined {
  const service = format || type;
  if (service === "telegram" && settings?.["chat"]?.startsWith("-")) return TELEGRAM_GROUP;
  return Object.hasOwn(PACES, service) ? PACES[service as Service] : undefined;
}

/** Unix seconds at which the service will have processed all requests including one more. `before` is that time without it. */
export const afterRequest = (before: number | undefined, now: number, pace: Pace): number =>
  Math.max(isOf(now, before, pace) ? before : now, now) + pace.everySec;

/** The earliest Unix seconds of the next request; a past time = now. */
export const pacedAt = (takenIn: number | undefined, now: number, pace: Pace): number =>
  isOf(now, takenIn, pace) ? takenIn - (pace.burst - 1) * pace.everySec : Number.NEGATIVE_INFINITY;

/** Whether the stored time is plausible; it is too late if the clock was set back after it was stored. */
const isOf = (now: number, takenIn: number | undefined, { burst, everySec }: Pace): takenIn is number =>
  takenIn !== undefined && takenIn <= now + burst * everySec;
