import type { Recurrence } from "../../../../fleet/silences/model.ts";
import { isInWindow } from "../../../../fleet/silences/rules/in-force.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import { createCalendar, machineZone } from "../../../../lib/time/calendar.ts";
import type { NoticeHold, Route, RouteDigest } from "../../model.ts";
import { isDigestDue } from "../../rules/routing/digest.ts";
import { opensAt } from "../../rules/routing/opening.ts";

/** Opening hours and digest times of routes. */
export interface Hours {
  /** Whether a route is open at a time in Unix seconds; absent = now. */
  readonly isOpen: (route: Pick<Route, "active">, at?: number) => boolean;
  /** The hold of a route that is closed now; undefined = it is open, or it does not hold notices while closed. */
  closedNow(route: Route): NoticeHold | undefined;
  /** Whether a time of the digest has passed since `since`, in Unix seconds. */
  isDigestDue(digest: RouteDigest, since: number): boolean;
  /** Unix seconds of the digest's next time. */
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

/** The times of a digest as windows. Each window ends when the same time of day comes again. */
const windowsOf = ({ at, weekdays, timezone }: RouteDigest): Recurrence[] =>
  at.map((time) => ({ from: time, to: time, ...(weekdays ? { weekdays } : {}), ...(timezone ? { timezone } : {}) }));
