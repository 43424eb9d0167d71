import type { Alert } from "../../../../fleet/alerts/model.ts";
import { isSeverity } from "../../../../fleet/alerts/rules/severity.ts";
import { type Check, isFlag, isIdList, isWithin, orAbsent } from "../../../../wire/checks.ts";
import type { Receiver, Route } from "../../model.ts";
import { newReceiver, newRoute, receiverFault, routeFault } from "../records/records.ts";

/** Definitions as they are tried out, by id. */
export interface Trial {
  readonly routes: ReadonlyMap<string, Route>;
  readonly receivers: ReadonlyMap<string, Receiver>;
  readonly alerts: ReadonlyMap<string, Alert>;
}

interface Stored {
  readonly routes: readonly Route[];
  readonly receivers: readonly Receiver[];
  readonly alerts: readonly Alert[];
}

type Changes = Readonly<Record<string, Readonly<Record<string, unknown>> | null>>;

/** What of an alert says how it is told; its condition is tried out by `backtest_alert`. */
const OF_TELLING: Readonly<Record<string, Check>> = {
  enabled: isFlag,
  severity: orAbsent(isSeverity),
  tags: orAbsent(isIdList),
  notice_after: orAbsent(isWithin(0, 86_400)),
  flap_count: orAbsent((value) => value === 0 || isWithin(2, 20)(value)),
  flap_window: orAbsent(isWithin(600, 86_400)),
};

const STAMP = { username: "", now: 0 };

/** The stored definitions with what is tried out in their place, or the sentence that refuses it. */
export function readTrial(
  stored: Stored,
  changes: { readonly routes: Changes; readonly receivers: Changes; readonly alerts: Changes },
): Trial | string {
  const routes = changed(stored.routes, changes.routes, (members, id, at) =>
    newRoute(members as never, { ...STAMP, id }, at),
  );
  const receivers = changed(stored.receivers, changes.receivers, (members, id) =>
    newReceiver({ title: id, ...members } as never, { ...STAMP, id }),
  );
  const fault =
    first(changes.routes, (id) => routes.has(id) && routeFault(routes.get(id) as Route)) ??
    first(changes.receivers, (id) => receivers.has(id) && receiverFault(receivers.get(id) as Receiver)) ??
    first(changes.alerts, (id) => alertFault(id, stored.alerts, changes.alerts[id]));
  if (fault) return fault;
  const missing = [...routes.values()]
    .flatMap(({ steps }) => steps.flatMap(({ to }) => to))
    .find((id) => !receivers.has(id));
  if (missing !== undefined) return `Receiver not found: ${missing}`;
  return { routes, receivers, alerts: changed(stored.alerts, changes.alerts, (members) => members as Alert) };
}

function changed<T extends { readonly id: string }>(
  stored: readonly T[],
  changes: Changes,
  create: (members: Readonly<Record<string, unknown>>, id: string, at: number) => T,
): Map<string, T> {
  const found = new Map(stored.map((each) => [each.id, each]));
  for (const [id, members] of Object.entries(changes)) {
    const known = found.get(id);
    if (members === null) found.delete(id);
    else found.set(id, known ? { ...known, ...members, id } : create(members, id, found.size));
  }
  return found;
}

function first(changes: Changes, faultOf: (id: string) => string | false | undefined): string | undefined {
  for (const id of Object.keys(changes)) {
    const fault = faultOf(id);
    if (fault) return fault;
  }
  return undefined;
}

function alertFault(id: string, stored: readonly Alert[], members: Changes[string] | undefined): string | undefined {
  if (!stored.some((alert) => alert.id === id)) return `Alert not found: ${id}`;
  const entries = Object.entries(members ?? {});
  const foreign = entries.find(([name]) => !(name in OF_TELLING))?.[0];
  if (foreign !== undefined)
    return `How it is told is tried out here, and what it is about by backtest_alert: ${foreign}`;
  const bad = entries.find(([name, value]) => !OF_TELLING[name]?.(value))?.[0];
  return bad && `Invalid value for ${bad}`;
}
