import type { Alert } from "../../../../fleet/alerts/model.ts";
import { pastPresence } from "../../../../fleet/alerts/rules/backtest/presence.ts";
import type { PastMinute } from "../../../../fleet/alerts/rules/backtest/replay.ts";
import type { RunLane } from "../../../../fleet/alerts/rules/backtest/runs.ts";
import { addMinute, type Stretch } from "../../../../fleet/alerts/rules/backtest/stretches.ts";
import {
  isForPlace,
  type Kind,
  keyOfSubject,
  kindOf,
  type Watched,
} from "../../../../fleet/alerts/rules/definition/subjects.ts";
import { sourceOf } from "../../../../fleet/alerts/subjects/watched-source.ts";
import { isInScope } from "../../../../fleet/monitors/rules/readings/evaluate.ts";
import type { Server } from "../../../../fleet/servers/model.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import type { PastSpan, Read } from "./past.ts";

/** Subjects that the alerts are evaluated for. */
export interface Subjects {
  readonly servers: readonly Server[];
  /** Subjects other than servers. */
  readonly watched: readonly (Watched & { readonly kind: Kind })[];
}

/** A place and the alerts that apply to it. */
export interface Place {
  readonly server?: Server;
  readonly about?: Watched;
  readonly place: string;
  readonly alerts: readonly Alert[];
}

const OF_SERVERS: ReadonlySet<Kind> = new Set(["server", "presence"]);

/** Places with at least one of these alerts, or whose minutes are asked for explicitly. */
export function placesFor(
  { servers, watched }: Subjects,
  alerts: readonly Alert[],
  asked: ReadonlySet<string> = new Set(),
): Place[] {
  const ofServers = alerts.filter((alert) => OF_SERVERS.has(kindOf(alert)));
  const places: Place[] = servers.map((server) => ({
    server,
    place: server.id,
    alerts: ofServers.filter((alert) => isInScope(alert.groups, server.groups)),
  }));
  for (const about of watched)
    places.push({
      about,
      place: keyOfSubject(about.subject),
      alerts: alerts.filter((alert) => kindOf(alert) === about.kind && isForPlace(alert, { groups: [], about })),
    });
  return places.filter(({ alerts: own, place }) => own.length > 0 || asked.has(place));
}

const MINUTE = 60;

/** Number of minutes in a span. */
export const minutesIn = ({ from, to }: PastSpan): number => Math.floor(to / MINUTE) + 1 - Math.floor(from / MINUTE);

type Deps = Pick<Cradle, "alerts" | "checks" | "expectations" | "heartbeats" | "servers">;
type Asked = PastSpan & { readonly read: Read };

/** Streams the stored minutes of each place. */
export async function* lanesOf(deps: Deps, places: readonly Place[], asked: Asked): AsyncGenerator<RunLane> {
  const { from, to, read } = asked;
  const span = { from: Math.floor(from / MINUTE), to: Math.floor(to / MINUTE) + 1, read };
  for (const { about, server, place, alerts } of places)
    if (server) yield* lanesOfServer(deps, server, alerts, { ...span, until: to });
    else if (about)
      yield { place, minutes: sourceOf(deps, about.subject.type)?.past(about.subject.id, span) ?? none(), alerts };
}

type Minutes = RunLane["minutes"];

async function* none(): AsyncGenerator<never> {}

type ServerSpan = Parameters<Deps["alerts"]["minutesOf"]>[0] & { readonly until: number };

/** The minutes of a server, then its presence: the gaps between minutes. */
async function* lanesOfServer(
  { alerts: { minutesOf }, servers }: Deps,
  server: Server,
  alerts: readonly Alert[],
  { until, ...span }: ServerSpan,
): AsyncGenerator<RunLane> {
  const { id: place } = server;
  const seen: Stretch[] = [];
  const sent = alerts.filter((alert) => kindOf(alert) === "server");
  const about = alerts.filter((alert) => kindOf(alert) === "presence");
  yield { place, minutes: noted(minutesOf(span, place), seen), alerts: sent };
  if (about.length === 0) return;
  const presence = pastPresence({ server, isEphemeral: servers.isEphemeral(server), seen, until });
  yield { place, minutes: inTurn(presence), alerts: about, isByClock: true };
}

async function* noted(minutes: Minutes, seen: Stretch[]): AsyncGenerator<PastMinute> {
  for await (const minute of minutes) {
    addMinute(seen, minute.date);
    yield minute;
  }
}

async function* inTurn(minutes: Iterable<PastMinute>): AsyncGenerator<PastMinute> {
  yield* minutes;
}
