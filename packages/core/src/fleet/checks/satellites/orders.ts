import type { Check } from "../model.ts";
import { type Candidate, indexOf, isAskedElsewhere, serversOf } from "../rules/places.ts";
import { hasSecrets } from "../rules/secret-texts.ts";

/** Checks of one satellite. */
export const MOST_ORDERS = 200;

/** Checks by the server that asks them. */
export type Orders = ReadonlyMap<string, readonly Check[]>;

/** `connected` are servers of all nodes. */
export function ordersFor(checks: readonly Check[], connected: () => readonly Candidate[]): Orders {
  const asked = checks.filter((check) => isAskedElsewhere(check) && !hasSecrets(check));
  const orders = new Map<string, Check[]>();
  if (asked.length === 0) return orders;
  const index = indexOf(connected());
  for (const check of asked)
    for (const server of serversOf(check, index)) {
      const own = orders.get(server);
      if (own) own.push(check);
      else orders.set(server, [check]);
    }
  return orders;
}
