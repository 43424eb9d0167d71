import type { Cradle } from "../../../../kernel/container.ts";
import { dependenciesOf } from "../../../../lib/dependency-chain.ts";
import type { ReadTx } from "../../../../ports/storage/storage.ts";
import { allOf, atLeast, hasWord, type SearchNode } from "../../../../search/ast.ts";
import type { SilencedBy } from "../../../silences/model.ts";
import { alertCollection, invocationCollection, stateCollection } from "../../collection.ts";
import type { Alert, AlertState, Invocation } from "../../model.ts";
import { severityOf } from "../../rules/definition/severity.ts";
import { checkIn, placeOf } from "../../rules/definition/subjects.ts";
import {
  delayOf,
  dependencyOf,
  inhibition,
  inhibitorsOf,
  type Standing,
  type Surroundings,
} from "../../rules/telling/holds.ts";
import { QUESTION_SEC } from "../../rules/telling/no-data.ts";
import { isPending, upstreamOf } from "./upstream.ts";

type Deps = Pick<Cradle, "checks" | "clock" | "config" | "definitions" | "servers">;

export interface Fired {
  readonly alert: Alert;
  readonly invocation: Invocation;
}

/** Holds of a firing other than silences and the like. */
export interface Holds {
  /** The firing is too young, or depends on another one. */
  readonly early: readonly SilencedBy[];
  /** Another firing inhibits it. */
  readonly inhibition: SilencedBy | undefined;
}

export async function findHolds(
  tx: ReadTx,
  deps: Deps,
  fired: Fired,
  /** True when another firing is itself silenced, and so inhibits nothing. */
  isQuiet: (other: Fired) => Promise<boolean>,
): Promise<Holds> {
  const around = await surroundingsOf(tx, deps, fired);
  const early = [delayOf(around), dependencyOf(around)].flatMap((hold) => hold ?? []);
  for (const other of inhibitorsOf(around)) {
    const known = await firedOf(tx, deps, other);
    if (!known || (await isQuiet(known))) continue;
    const above = await surroundingsOf(tx, deps, known);
    if (!delayOf(above) && !dependencyOf(above)) return { early, inhibition: inhibition(other) };
  }
  return { early, inhibition: undefined };
}

async function firedOf(tx: ReadTx, { definitions }: Deps, { invocation: id, alert: of }: Standing) {
  const invocation = await tx.collection(invocationCollection).get(id);
  const alert = definitions.get(alertCollection, of);
  return invocation && alert ? { alert, invocation } : undefined;
}

async function surroundingsOf(tx: ReadTx, deps: Deps, { alert, invocation }: Fired): Promise<Surroundings> {
  const { clock, definitions } = deps;
  const parentsOf = (id: string): readonly string[] => definitions.get(alertCollection, id)?.depends_on ?? [];
  const parents = dependenciesOf(alert.id, parentsOf);
  const place = placeOf(invocation);
  const upstream = await upstreamOf(tx, deps, place);
  const firing = standingOf(deps, alert, { ...invocation, server: place, invocation: invocation.id });
  const fired = invocation.fired ?? invocation.date;
  const states = await statesAround(tx, deps, { firing, parents, upstream });
  return {
    firing,
    fired,
    now: clock.now(),
    noticeAfter: alert.notice_after ?? 0,
    parents,
    upstream,
    parentWait: deps.config.notices.parent_wait,
    silent: await silentAround(tx, deps, { firing, parents, upstream }),
    live: states.filter(({ notified }) => notified).flatMap((state) => liveOf(deps, state)),
    isParentPending: await isParentPending(tx, deps, { firing, fired, parents, upstream, states }),
  };
}

type Run = Pick<AlertState, "server" | "invocation" | "date">;

/** A firing as seen by the rules about other firings. */
export function standingOf(
  { checks }: Pick<Deps, "checks">,
  alert: Alert,
  { server, invocation, date }: Run,
): Standing {
  const { id, title, family, monitor_id, inhibits, outage } = alert;
  return {
    invocation,
    alert: id,
    server,
    title,
    date,
    place: checks.titleOf(checkIn(server)) ?? server,
    severity: severityOf(alert),
    family: family || monitor_id || undefined,
    inhibits: inhibits ?? [],
    outage: Boolean(outage),
  };
}

function liveOf(deps: Deps, state: AlertState): Standing[] {
  const alert = deps.definitions.get(alertCollection, state.alert);
  return alert ? [standingOf(deps, alert, state)] : [];
}

interface Relations {
  readonly firing: Standing;
  readonly parents: ReadonlySet<string>;
  readonly upstream: ReadonlySet<string>;
}

/** Search condition for records of these alerts on the server of the firing or upstream of it. */
const around = (alerts: readonly string[], { firing, upstream }: Relations): SearchNode[] => [
  hasWord("alert", alerts),
  hasWord("server", [firing.server, ...upstream]),
];

/** States, on the server and upstream, of alerts that could hold the firing back. */
async function statesAround(tx: ReadTx, { definitions }: Deps, relations: Relations): Promise<readonly AlertState[]> {
  const { firing, parents, upstream } = relations;
  const isConcerned = ({ id, family, monitor_id, inhibits, outage }: Alert): boolean =>
    parents.has(id) ||
    (upstream.size > 0 && Boolean(outage)) ||
    (inhibits ?? []).includes(firing.alert) ||
    (firing.family !== undefined && (family || monitor_id) === firing.family);
  const words = definitions
    .all(alertCollection)
    .filter((alert) => alert.id !== firing.alert || alert.outage)
    .filter(isConcerned)
    .map(({ id }) => id);
  if (words.length === 0) return [];
  return (await tx.collection(stateCollection).find(allOf(around(words, relations)))).rows;
}

const MAX_SILENT = 100;

/** Firings that may hold this one back although they ended: they ended for lack of data, and no data has come since. */
async function silentAround(tx: ReadTx, deps: Deps, relations: Relations): Promise<Standing[]> {
  const { clock, definitions, servers } = deps;
  const { parents, upstream } = relations;
  const words = definitions
    .all(alertCollection)
    .filter(({ id, outage }) => parents.has(id) || (upstream.size > 0 && Boolean(outage)))
    .map(({ id }) => id);
  if (words.length === 0) return [];
  const where = allOf([
    ...around(words, relations),
    hasWord("active", "false"),
    atLeast("end", clock.now() - QUESTION_SEC),
  ]);
  const page = { sortBy: "end", descending: true, limit: MAX_SILENT };
  const { rows } = await tx.collection(invocationCollection).find(where, page);
  const found: Standing[] = [];
  for (const { id: invocation, alert, server, date, modified, stale } of rows) {
    const last = stale ? ((await servers.hostRecord(tx, server))?.date ?? 0) : Number.POSITIVE_INFINITY;
    const definition = last <= modified ? definitions.get(alertCollection, alert) : undefined;
    if (definition) found.push(standingOf(deps, definition, { server, invocation, date }));
  }
  return found;
}

/**
 * True when a parent is warming up, an upstream server has not sent a minute since the firing, or an upstream check is
 * being retried.
 */
async function isParentPending(
  tx: ReadTx,
  deps: Deps,
  { fired, parents, upstream, states }: Relations & { readonly fired: number; readonly states: readonly AlertState[] },
): Promise<boolean> {
  if (parents.size === 0 && upstream.size === 0) return false;
  if (states.some(({ notified, alert, server }) => !notified && (parents.has(alert) || upstream.has(server))))
    return true;
  for (const place of upstream) if (await isPending(tx, deps, place, fired)) return true;
  return false;
}
