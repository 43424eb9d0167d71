import type { Cradle } from "../../../kernel/container.ts";
import { createCalendar, OWN_ZONE } from "../../../lib/time/calendar.ts";
import { lastMark } from "../../../lib/time/last-mark.ts";

/** Calls `act` on the first call of each day except the first day. Days begin at midnight in the configured zone. */
export function createMidnight({ config }: Pick<Cradle, "config">, act: () => void): (now: number) => void {
  const calendar = createCalendar();
  let today: number | undefined;
  return (now) => {
    const zone = config.tz ?? OWN_ZONE;
    const day = lastMark(now, "00:00", { calendar, zone });
    if (today !== undefined && day !== today) act();
    today = day;
  };
}
