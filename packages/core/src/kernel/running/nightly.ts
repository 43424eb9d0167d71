import { createCalendar, OWN_ZONE } from "../../lib/time/calendar.ts";
import { lastMark } from "../../lib/time/last-mark.ts";
import type { Cradle } from "../container.ts";

/** A loop calls it each minute; `now` is Unix seconds. */
export type Nightly = (now: number, signal: AbortSignal, anyway?: boolean) => Promise<void>;

/**
 * Does work once a day at the time `maintenance` of the configuration, and whenever `anyway` is set. The first call after a start
 * counts as due, so that a host that never runs at night does its clean-ups too.
 */
export function nightly(
  { config }: Pick<Cradle, "config">,
  work: (now: number, signal: AbortSignal) => Promise<void>,
): Nightly {
  const calendar = createCalendar();
  let done: number | undefined;
  return async (now, signal, anyway = false) => {
    const mark = lastMark(now, config.maintenance, { calendar, zone: config.tz ?? OWN_ZONE });
    if (mark === done && !anyway) return;
    await work(now, signal);
    if (!signal.aborted) done = mark;
  };
}
