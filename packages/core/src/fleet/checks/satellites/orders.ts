import type { Check } from "../model.ts";
import { type Candidate, indexOf, isAskedElsewhere, serversOf } from "../rules/places.ts";
import { hasSecrets } from "../rules/secret-texts.ts";

/** Checks of one satellite, and characters of them in its script. */
const MOST_ORDERS = 200;
const MOST_CHARACTERS = 512_000;
/** Characters of a check besides its address, headers and body. */
const OTHERS = 1000;

const sizeOf = ({ url, headers, body }: Check): number =>
  OTHERS +
  [url, body, ...(headers ?? []).map(({ value }) => value)].reduce((sum, text) => sum + (text?.length ?? 0), 0);

/** The first checks that one satellite has room for. */
export function fitting(checks: readonly Check[]): readonly Check[] {
  let room = MOST_CHARACTERS;
  return checks.slice(0, MOST_ORDERS).filter((check) => {
    room -= sizeOf(check);
    return room >= 0;
  });
}

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
