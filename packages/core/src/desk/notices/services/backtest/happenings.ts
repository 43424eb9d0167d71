import type { Alert, Invocation } from "../../../../fleet/alerts/model.ts";
import type { PastRun, PastRuns, Warmup } from "../../../../fleet/alerts/rules/backtest/runs.ts";
import type { Stretch } from "../../../../fleet/alerts/rules/backtest/stretches.ts";
import { placeOf } from "../../../../fleet/alerts/rules/definition/subjects.ts";
import { firedAt } from "../../../../fleet/alerts/rules/evaluation/episodes.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import { byId } from "../../../../lib/by-id.ts";
import type { Sorted } from "../../rules/backtest/definitions.ts";
import { matched, type SecondOf, secondsOf } from "../../rules/backtest/match.ts";
import { lanesOf, minutesIn, type Place, placesFor, type Subjects } from "./lanes.ts";
import { type PastSpan, pastInvocations, type Read } from "./past.ts";

/** A past firing, computed from stored minutes or read from its record. Times are Unix seconds. */
export interface Happened
  extends Pick<Invocation, "id" | "server" | "subject" | "category" | "groups" | "message" | "date"> {
  readonly alert: Alert;
  readonly place: string;
  readonly fired: number;
  /** Absent = live to the end of the time. */
  readonly to?: number | undefined;
  readonly stale?: boolean | undefined;
  /** The stored firing of the same alert on the same subject at that time. */
  readonly real: Invocation | undefined;
  /** True when the back-test asks for this firing; false when it is only needed because others depend on it. */
  readonly isMeant: boolean;
}

export interface Happenings {
  readonly all: readonly Happened[];
  /** Places that a place depends on. */
  readonly above: ReadonlyMap<string, ReadonlySet<string>>;
  readonly seen: ReadonlyMap<string, readonly Stretch[]>;
  readonly warmups: readonly Warmup[];
  readonly secondOf: SecondOf;
}

type Deps = Pick<Cradle, "alerts" | "checks" | "expectations" | "heartbeats" | "servers">;

export interface Asked extends PastSpan {
  readonly read: Read;
  readonly signal: AbortSignal;
  readonly sorted: Sorted;
  readonly subjects: Subjects;
  /** Whether the back-test asks for a stored firing, rather than needing it only because it holds others. */
  readonly isMeant: (invocation: Invocation) => boolean;
}

const MAX_FIRINGS = 10_000;
/** Minutes of servers times alerts. */
const MAX_POINTS = 20_000_000;

/** Error for a back-test beyond a bound; its message names the bound, and the call is refused. */
export class TooMuch extends Error {}

/** All firings within a span, including those on subjects that others depend on. Throws `TooMuch`. */
export async function happeningsOf(deps: Deps, asked: Asked): Promise<Happenings> {
  const { from, to, read, sorted, subjects, isMeant } = asked;
  const stored = await pastInvocations(read, { from, to }, MAX_FIRINGS + 1);
  if (stored.length > MAX_FIRINGS) throw tooManyFirings();
  // Later data show whether a firing that ended for missing data is over.
  const silent = new Set(stored.flatMap((each) => (each.stale ? placeOf(each) : [])));
  const places = placesFor(subjects, sorted.byMinutes, silent);
  const runs = await runsOn(deps, places, asked);
  const secondOf = secondsOf(stored);
  const meant = happenedBy(runs.runs, places, { stored, secondOf, isMeant: true });
  const recorded = recordedBy(sorted.byRecord, stored, isMeant);
  const above = await aboveOf(deps, read, [...meant, ...recorded.filter((each) => each.isMeant)]);
  const more = await placesAbove(deps, asked, above, new Set(places.map(({ place }) => place)));
  const others = await runsOn(deps, more, asked);
  return {
    all: [...meant, ...recorded, ...happenedBy(others.runs, more, { stored, secondOf, isMeant: false })],
    secondOf,
    above,
    seen: new Map([...runs.seen, ...others.seen]),
    warmups: [...runs.warmups, ...others.warmups],
  };
}

const tooManyFirings = (): TooMuch => new TooMuch(`${MAX_FIRINGS} firings`);

async function runsOn(deps: Deps, places: readonly Place[], { from, to, read, signal }: Asked): Promise<PastRuns> {
  const points = places.reduce((sum, { alerts }) => sum + alerts.length * minutesIn({ from, to }), 0);
  if (points > MAX_POINTS) throw new TooMuch(`${MAX_POINTS} minutes of servers times alerts`);
  const lanes = lanesOf(deps, places, { from, to, read });
  const runs = await deps.alerts.runOver({ lanes, until: to, most: MAX_FIRINGS, signal });
  if (runs.truncated) throw tooManyFirings();
  return runs;
}

function happenedBy(
  runs: readonly PastRun[],
  places: readonly Place[],
  {
    stored,
    secondOf,
    isMeant,
  }: Pick<Happenings, "secondOf"> & Pick<Happened, "isMeant"> & { readonly stored: readonly Invocation[] },
): Happened[] {
  const known = new Map(places.map((each) => [each.place, each]));
  const really = matched(runs, stored);
  return runs.map((run) => {
    const { place, fired, to, date, stale } = run;
    const { server, about } = known.get(place) ?? {};
    const real = really.get(run);
    return {
      ...run,
      date: date + secondOf(place, date),
      fired: fired + secondOf(place, fired),
      ...(to === undefined || stale ? {} : { to: to + secondOf(place, to) }),
      id: real?.id ?? `${run.place}-${run.alert.id}-${run.fired}`,
      server: server?.id ?? "",
      subject: about?.subject,
      category: about?.category,
      groups: server?.groups ?? [],
      real,
      isMeant,
    };
  });
}

function recordedBy(
  alerts: readonly Alert[],
  stored: readonly Invocation[],
  isMeant: (invocation: Invocation) => boolean,
): Happened[] {
  const known = byId(alerts);
  return stored.flatMap((real) => {
    const alert = known.get(real.alert);
    if (!alert) return [];
    const { id, server, subject, category, groups, message, date, stale } = real;
    const fired = Math.floor(firedAt(real));
    const to = real.active ? undefined : Math.max(Math.floor(real.modified), fired + 1);
    return [
      {
        id,
        server,
        subject,
        category,
        groups,
        message,
        date,
        alert,
        place: placeOf(real),
        fired,
        to,
        stale,
        real,
        isMeant: isMeant(real),
      },
    ];
  });
}

async function aboveOf(deps: Deps, read: Read, all: readonly Happened[]): Promise<Map<string, ReadonlySet<string>>> {
  const above = new Map<string, ReadonlySet<string>>();
  for (const place of new Set(all.map((each) => each.place)))
    above.set(place, await read((tx) => deps.alerts.upstreamOf(tx, place)));
  return above;
}

/** Servers outside the request, with the alerts on them that can hold firings on dependent servers. */
async function placesAbove(
  deps: Deps,
  { read, sorted }: Asked,
  above: Happenings["above"],
  known: ReadonlySet<string>,
): Promise<Place[]> {
  const ids = new Set([...above.values()].flatMap((each) => [...each]).filter((each) => !known.has(each)));
  const servers = await read(async (tx) => Promise.all([...ids].map((id) => deps.servers.find(tx, id))));
  const parents = new Set(sorted.byMinutes.flatMap(({ depends_on }) => depends_on ?? []));
  const holding = sorted.byMinutes.filter(({ id, outage }) => outage || parents.has(id));
  return placesFor({ servers: servers.flatMap((server) => server ?? []), watched: [] }, holding);
}
