import { activeUsers } from "../../../../directory/users/active-users.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import { createCalendar } from "../../../../lib/time/calendar.ts";
import type { Route } from "../../model.ts";
import type { PastFiring, PastRules } from "../../rules/backtest/replay.ts";
import type { Trial } from "../../rules/backtest/trial.ts";
import { perHourOf } from "../../rules/delivery/rate.ts";
import { absenceOf } from "../../rules/people/duty.ts";
import { keepsState } from "../../rules/providers/names.ts";
import { onDuty as onDutyAt } from "../../rules/rota/duty.ts";
import { type Firing, waitOf } from "../../rules/routing/match.ts";
import { createHours } from "../decisions/hours.ts";
import { possibleSubjects } from "../problems/firings.ts";
import type { Read } from "./past.ts";

type Deps = Pick<
  Cradle,
  "alerts" | "checks" | "clock" | "config" | "definitions" | "expectations" | "heartbeats" | "servers" | "snapshot"
>;

interface Asked {
  /** Unix seconds. */
  readonly to: number;
  readonly read: Read;
  readonly trial: Trial;
}

/** The tried-out rules that decide about notices. */
export async function rulesOf(
  deps: Deps,
  { to, read, trial }: Asked,
  firings: readonly PastFiring[],
): Promise<PastRules> {
  const { receivers, rotas } = trial;
  const routes = [...trial.routes.values()];
  const subjects = new Map<string, number>();
  for (const id of new Set(firings.map(({ firing }) => firing.alert))) {
    const alert = trial.alerts.get(id);
    if (alert) subjects.set(id, await read((tx) => possibleSubjects(tx, deps, alert)));
  }
  const calendar = createCalendar();
  const onDuty = (id: string, at: number): string | undefined => {
    const receiver = receivers.get(id);
    const rota = receiver?.type === "rota" ? rotas.get(receiver.rota ?? "") : undefined;
    const user = rota && onDutyAt(rota, at, calendar);
    return user !== undefined && activeUsers(deps, [user]).length > 0 ? user : undefined;
  };
  return {
    until: Math.floor(to),
    routes,
    ...timesOf(deps),
    onDuty,
    settle: deps.config.notices.settle_sec,
    waitOf: (route: Route, { alert }: Firing) => waitOf(route, subjects.get(alert) ?? 2),
    keepsState: (id) => keepsState(receivers.get(id) ?? { type: "" }),
    unreachable: (id, at, former = []) => absenceOf(id, receivers.get(id), [onDuty(id, at), ...former]),
    perHourOfAll: deps.config.notices.max_per_hour,
    perHour: (id, severity) => perHourOf(receivers.get(id), severity),
    hasHours:
      routes.some(({ active, digest }) => active.length > 0 || Boolean(digest)) ||
      [...receivers.values()].some(({ type }) => type === "rota"),
  };
}

/** Opening hours and digests for any given time, by a clock that is set to it. */
function timesOf({ config, clock }: Deps): Pick<PastRules, "isDigestDue" | "isOpen"> {
  let now = 0;
  const hours = createHours({ clock: { ...clock, now: () => now }, config });
  return {
    isOpen: (route, at) => hours.isOpen(route, at),
    isDigestDue(digest, since, at) {
      now = at;
      return hours.isDigestDue(digest, since);
    },
  };
}
