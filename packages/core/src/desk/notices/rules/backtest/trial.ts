import type { Alert } from "../../../../fleet/alerts/model.ts";
import {
  definitionFault,
  newAlert,
  readCounts,
  type Sources,
} from "../../../../fleet/alerts/rules/definition/inputs.ts";
import { relationFault } from "../../../../fleet/alerts/rules/definition/relations.ts";
import type { Silence } from "../../../../fleet/silences/model.ts";
import { newSilence, faultOf as silenceFault } from "../../../../fleet/silences/rules/record.ts";
import { byId } from "../../../../lib/by-id.ts";
import type { Receiver, Rota, Route } from "../../model.ts";
import { newReceiver, newRoute, readRoute, receiverFault, routeFault } from "../records/records.ts";
import { newRota, rotaFault } from "../rota/rota-record.ts";

interface Kinds {
  readonly routes: Route;
  readonly receivers: Receiver;
  readonly alerts: Alert;
  readonly silences: Silence;
  readonly rotas: Rota;
}
type Kind = keyof Kinds;

/** Definitions in the form that is tried out, by id. */
export type Trial = { readonly [K in Kind]: ReadonlyMap<string, Kinds[K]> };
/** Stored definitions, by kind. */
export type Stored = { readonly [K in Kind]: readonly Kinds[K][] };

type Changes = Readonly<Record<string, Readonly<Record<string, unknown>> | null>>;
/** Changes by id: changed members, a new record, or null to leave it out. */
export type Replacements = { readonly [K in Kind]: Changes };

/** How to make a new record of one kind, and to find the reason why a record cannot be stored. */
interface Rules<T> {
  readonly create: (members: Readonly<Record<string, unknown>>, id: string, at: number) => T;
  readonly change?: (members: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  readonly faultOf: (record: T) => string | undefined;
}

const STAMP = { username: "", now: 0 };

const ROUTES: Rules<Route> = {
  create: (members, id, at) => newRoute(members as never, { ...STAMP, id }, at),
  faultOf: routeFault,
};
const RECEIVERS: Rules<Receiver> = {
  create: (members, id) => newReceiver({ title: id, ...members } as never, { ...STAMP, id }),
  faultOf: receiverFault,
};
const SILENCES: Rules<Silence> = {
  create: (members, id) => newSilence({ title: id, ...members } as never, { ...STAMP, id }),
  faultOf: silenceFault,
};
const ROTAS: Rules<Rota> = {
  create: (members, id) => newRota({ title: id, ...members } as never, { ...STAMP, id }),
  faultOf: rotaFault,
};
const ALERTS: Rules<Alert> = {
  create: (members, id) => newAlert({ title: id, message: "", ...members } as never, { ...STAMP, id }),
  // The subject of an alert is immutable.
  change: ({ subject: _immutable, ...members }) => ({ ...members, ...readCounts(members) }),
  faultOf: () => undefined,
};

/** The stored definitions with the changes applied, or the sentence with which they are refused. */
export function readTrial(stored: Stored, changes: Replacements, sources: Sources): Trial | string {
  const trial: Trial = {
    routes: new Map([...changed(stored.routes, changes.routes, ROUTES)].map(([id, route]) => [id, readRoute(route)])),
    receivers: changed(stored.receivers, changes.receivers, RECEIVERS),
    alerts: changed(stored.alerts, changes.alerts, ALERTS),
    silences: changed(stored.silences, changes.silences, SILENCES),
    rotas: changed(stored.rotas, changes.rotas, ROTAS),
  };
  const alertFault = (alert: Alert): string | undefined =>
    definitionFault(alert, sources) ?? relationFault(alert, (id) => trial.alerts.get(id));
  return (
    first(changes.routes, trial.routes, ROUTES.faultOf) ??
    first(changes.receivers, trial.receivers, RECEIVERS.faultOf) ??
    first(changes.silences, trial.silences, SILENCES.faultOf) ??
    first(changes.rotas, trial.rotas, ROTAS.faultOf) ??
    first(changes.alerts, trial.alerts, alertFault) ??
    missing(trial) ??
    trial
  );
}

function missing({ routes, receivers, rotas }: Trial): string | undefined {
  const told = [...routes.values()].flatMap(({ steps }) => steps.flatMap(({ to }) => to));
  const receiver = told.find((id) => !receivers.has(id));
  if (receiver !== undefined) return `Receiver not found: ${receiver}`;
  const rota = told.map((id) => receivers.get(id)).find((each) => each?.type === "rota" && !rotas.has(each.rota ?? ""));
  return rota && `Rota not found: ${rota.rota}`;
}

function changed<T extends { readonly id: string }>(
  stored: readonly T[],
  changes: Changes,
  { create, change = (members) => members }: Rules<T>,
): Map<string, T> {
  const found = byId(stored);
  for (const [id, members] of Object.entries(changes)) {
    const known = found.get(id);
    if (members === null) found.delete(id);
    else found.set(id, known ? { ...known, ...change(members), id } : create(members, id, found.size));
  }
  return found;
}

function first<T>(
  changes: Changes,
  trial: ReadonlyMap<string, T>,
  faultOf: (record: T) => string | undefined,
): string | undefined {
  for (const id of Object.keys(changes)) {
    const record = trial.get(id);
    const fault = record && faultOf(record);
    if (fault) return fault;
  }
  return undefined;
}
