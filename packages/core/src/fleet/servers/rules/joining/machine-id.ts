import { isReservedWord } from "../../../../wire/fields/reserved.ts";

/** Facts for and against an id that the machine of this process would join under. */
export interface IdFacts {
  readonly id: string;
  /** Hostname of this machine. */
  readonly hostname: string;
  /** Hostname of the stored server with this id; undefined = there is none. */
  readonly known: string | undefined;
  /** That server is connected to another node, which lives. */
  readonly isHeld: boolean;
  /** A server with the machine's own id and hostname is stored: the machine has been that before. */
  readonly hasOwn: boolean;
  /** A node on another machine has lived for longer, and may be about to join under the id that all have by default. */
  readonly isLater: boolean;
}

/** The id of a local agent that was given none. */
const DEFAULT_ID = "local";
const MAX_ID = 64;

/** True when the machine may join under this id: a live server on another machine keeps its id. */
export function mayJoinAs({ id, hostname, known, isHeld, hasOwn, isLater }: IdFacts): boolean {
  if (known === hostname) return true;
  if (isHeld) return false;
  return id !== DEFAULT_ID || !(hasOwn || isLater);
}

/** The id that a hostname gives, and `_2`, `_3` … after it where machines have one name. */
export function idOfHostname(hostname: string, nth: number): string {
  const suffix = nth > 1 ? `_${nth}` : "";
  const word = hostname.toLowerCase().replace(/[^a-z0-9]+/g, "_");
  const id = word.replace(/^_|_$/g, "").slice(0, MAX_ID - suffix.length);
  return `${id === "" || isReservedWord(id) ? "machine" : id}${suffix}`;
}
