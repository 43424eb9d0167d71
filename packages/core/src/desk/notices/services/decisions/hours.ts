import type { Recurrence } from "../../../../fleet/silences/model.ts";
import { isInWindow } from "../../../../fleet/silences/rules/in-force.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import { createCalendar, machineZone } from "../../../../lib/time/calendar.ts";
import type { NoticeHold, Route, RouteDigest } from "../../model.ts";
import { isDigestDue } from "../../rules/routing/digest.ts";
import { opensAt } from "../../rules/routing/opening.ts";

/** Hours of routes. */
export interface Hours {
  /** Whether a route is open at a time in Unix seconds; absent = now. */
  readonly isOpen: (route: Pick<Route, "active">, at?: number) => boolean;
  /** The hold of a route that is outside of its hours now; undefined = it is open, or does not hold. */
  closedNow(route: Route): NoticeHold | undefined;
  /** Whether a time of a digest has come since `since`, Unix seconds. */
  isDigestDue(digest: RouteDigest, since: number): boolean;
  /** Unix seconds of the next time of a digest. */
  nextDigest(digest: RouteDigest): number | undefined;
}

export function createHours({ clock, config }: Pick<Cradle, "clock" | "config">): Hours {
  const calendar = createCalendar();
  const rules = () => ({ calendar, zone: config.tz ?? machineZone() });
  const isOpen: Hours["isOpen"] = ({ active }, at = clock.now()) =>
    active.length === 0 || active.some((window) => isInWindow(window, at, rules()));
  return {
    isOpen,
    isDigestDue: (digest, since) => isDigestDue(digest, { since, now: clock.now() }, rules()),
    nextDigest: (digest) => opensAt(windowsOf(digest), clock.now(), rules()),
    closedNow(route) {
      if (route.outside !== "hold" || isOpen(route)) return undefined;
      const until = opensAt(route.active, clock.now(), rules());
      return { kind: "hours", id: route.id, title: route.title, ...(until === undefined ? {} : { until }) };
    },
  };
}

/** Each time of a digest as a window that lasts until the next one of the same name. */
const windowsOf = ({ at, weekdays, timezone }: RouteDigest): Recurrence[] =>
  at.map((time) => ({
    ...{ from: time, to: time },
    ...(weekdays ? { weekdays } : {}),
    ...(timezone ? { timezone } : {}),
  }));
