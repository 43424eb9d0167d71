import { isInWindow } from "../../../fleet/silences/rules/in-force.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { createCalendar, machineZone } from "../../../lib/calendar.ts";
import type { NoticeHold, Route } from "../model.ts";

/** Hours of routes. */
export interface Hours {
  readonly isOpen: (route: Pick<Route, "active">) => boolean;
  /** What a route that holds outside of its hours keeps back now. */
  closedNow(route: Route): NoticeHold | undefined;
}

export function createHours({ clock, config }: Pick<Cradle, "clock" | "config">): Hours {
  const calendar = createCalendar();
  const isOpen: Hours["isOpen"] = ({ active }) => {
    const rules = { calendar, zone: config.tz ?? machineZone() };
    return active.length === 0 || active.some((window) => isInWindow(window, clock.now(), rules));
  };
  return {
    isOpen,
    closedNow: (route) =>
      route.outside === "hold" && !isOpen(route) ? { kind: "hours", id: route.id, title: route.title } : undefined,
  };
}
