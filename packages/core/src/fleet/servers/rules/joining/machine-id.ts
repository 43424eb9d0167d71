import { isReservedWord } from "../../../../wire/fields/reserved.ts";

/** Facts that decide whether the machine of this process may join under an id. */
export interface IdFacts {
  readonly id: string;
  /** Hostname of this machine. */
  readonly hostname: string;
  /** Hostname of the stored server with this id; undefined = no such server. */
  readonly known: string | undefined;
  /** That server is connected to another live node. */
  readonly isHeld: boolean;
  /**
   * A server with the id derived from this hostname, and this hostname, is stored: the machine has joined as that
   * before.
   */
  readonly hasOwn: boolean;
  /** A node on another machine has run for longer, and may be about to join under the default id. */
  readonly isLater: boolean;
}

/** Id of a local agent that was not given one. */
const DEFAULT_ID = "local";
const MAX_ID = 64;

/** True when the machine may join under this id. A live server on another machine keeps its id. */
export function mayJoinAs({ id, hostname, known, isHeld, hasOwn, isLater }: IdFacts): boolean {
  if (known === hostname) return true;
  if (isHeld) return false;
  return id !== DEFAULT_ID || !(hasOwn || isLater);
}

/** The id derived from a hostname, with the suffix `_2`, `_3` … for machines of the same name. */
export function idOfHostname(hostname: string, nth: number): string {
  const suffix = nth > 1 ? `_${nth}` : "";
  const word = hostname.toLowerCase().replace(/[^a-z0-9]+/g, "_");
  const id = word.replace(/^_|_$/g, "").slice(0, MAX_ID - suffix.length);
  return `${id === "" || isReservedWord(id) ? "machine" : id}${suffix}`;
}
