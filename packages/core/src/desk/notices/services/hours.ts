import { isInWindow } from "../../../fleet/silences/rules/in-force.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { createCalendar, machineZone } from "../../../lib/calendar.ts";
import type { NoticeHold, Route, RouteDigest } from "../model.ts";
import { isDigestDue } from "../rules/routing/digest.ts";

/** Hours of routes. */
export interface Hours {
  /** At a time in Unix seconds; absent = now. */
  readonly isOpen: (route: Pick<Route, "active">, at?: number) => boolean;
  /** What a route that holds outside of its hours keeps back now. */
  closedNow(route: Route): NoticeHold | undefined;
  /** Whether a time of a digest has come since then, in Unix seconds. */
  isDigestDue(digest: RouteDigest, since: number): boolean;
}

export function createHours({ clock, config }: Pick<Cradle, "clock" | "config">): Hours {
  const calendar = createCalendar();
  const isOpen: Hours["isOpen"] = ({ active }, at = clock.now()) => {
    const rules = { calendar, zone: config.tz ?? machineZone() };
    return active.length === 0 || active.some((window) => isInWindow(window, at, rules));
  };
  return {
    isOpen,
    isDigestDue: (digest, since) =>
      isDigestDue(digest, { since, now: clock.now() }, { calendar, zone: config.tz ?? machineZone() }),
    closedNow: (route) =>
      route.outside === "hold" && !isOpen(route) ? { kind: "hours", id: route.id, title: route.title } : undefined,
  };
}
