import type { Check } from "../model.ts";
import { type Candidate, indexOf, isAskedElsewhere, serversOf } from "../rules/places.ts";
import { hasSecrets } from "../rules/secret-texts.ts";

/** Bounds per satellite: number of checks, and characters that they take in the script. */
const MOST_ORDERS = 200;
const MOST_CHARACTERS = 512_000;
/** Characters that a check takes besides its URL, headers and body. */
const OTHERS = 1000;

const sizeOf = ({ url, headers, body }: Check): number =>
  OTHERS +
  [url, body, ...(headers ?? []).map(({ value }) => value)].reduce((sum, text) => sum + (text?.length ?? 0), 0);

/** The checks, from the first on, that fit on one satellite. */
export function fitting(checks: readonly Check[]): readonly Check[] {
  let room = MOST_CHARACTERS;
  return checks.slice(0, MOST_ORDERS).filter((check) => {
    room -= sizeOf(check);
    return room >= 0;
  });
}

/** Checks by the id of the server that runs them. */
export type Orders = ReadonlyMap<string, readonly Check[]>;

/** Assigns checks to servers. `connected` returns the servers that are connected to any node. */
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
