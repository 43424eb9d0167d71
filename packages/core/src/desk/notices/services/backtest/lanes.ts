import type { Alert } from "../../../../fleet/alerts/model.ts";
import type { RunLane } from "../../../../fleet/alerts/rules/backtest/runs.ts";
import { isForPlace, type Kind, keyOfSubject, kindOf, type Watched } from "../../../../fleet/alerts/rules/subjects.ts";
import { isInScope } from "../../../../fleet/monitors/rules/evaluate.ts";
import type { Server } from "../../../../fleet/servers/model.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import type { PastSpan, Read } from "./past.ts";

/** What alerts are run over. */
export interface Subjects {
  readonly servers: readonly Server[];
  /** Everything else. */
  readonly watched: readonly (Watched & { readonly kind: Kind })[];
}

/** A place and the definitions that are for it. */
export interface Place {
  readonly server?: Server;
  readonly about?: Watched;
  readonly place: string;
  readonly alerts: readonly Alert[];
}

/** Places with at least one of these definitions, or whose minutes are asked for by themselves. */
export function placesFor(
  { servers, watched }: Subjects,
  alerts: readonly Alert[],
  asked: ReadonlySet<string> = new Set(),
): Place[] {
  const ofServers = alerts.filter((alert) => kindOf(alert) === "server");
  const places: Place[] = servers.map((server) => ({
    ...{ server, place: server.id },
    alerts: ofServers.filter((alert) => isInScope(alert.groups, server.groups)),
  }));
  for (const about of watched)
    places.push({
      ...{ about, place: keyOfSubject(about.subject) },
      alerts: alerts.filter((alert) => kindOf(alert) === about.kind && isForPlace(alert, { groups: [], about })),
    });
  return places.filter(({ alerts: own, place }) => own.length > 0 || asked.has(place));
}

const MINUTE = 60;

/** Minutes of a time. */
export const minutesIn = ({ from, to }: PastSpan): number => Math.floor(to / MINUTE) + 1 - Math.floor(from / MINUTE);

type Deps = Pick<Cradle, "alerts" | "expectations">;

/** The minutes that are kept of each place. */
export async function* lanesOf(
  { alerts: { minutesOf }, expectations }: Deps,
  places: readonly Place[],
  { from, to, read }: PastSpan & { readonly read: Read },
): AsyncGenerator<RunLane> {
  const span = { from: Math.floor(from / MINUTE), to: Math.floor(to / MINUTE) + 1, read };
  for (const { about, place, alerts } of places) {
    const minutes = about ? expectations.past(about.subject.id, span) : minutesOf(span, place);
    yield { place, minutes, alerts };
  }
}
