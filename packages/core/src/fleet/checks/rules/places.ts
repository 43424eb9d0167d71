import type { Check } from "../model.ts";

/** Name of the engine in a check's list of places. */
export const HERE = "engine";
/** Most places per check. */
export const MOST_PLACES = 10;

type From = Pick<Check, "from">;

const fromOf = ({ from }: From): readonly string[] => (from && from.length > 0 ? from : [HERE]);

export const isAskedHere = (check: From): boolean => fromOf(check).includes(HERE);

export const isAskedElsewhere = (check: From): boolean => fromOf(check).some((entry) => entry !== HERE);

/** A server that can run checks. */
export interface Candidate {
  readonly id: string;
  readonly groups: readonly string[];
}

/** Connected servers, by their own ids and by the ids of their groups, in the order of the server list. */
export type Index = ReadonlyMap<string, readonly string[]>;

export function indexOf(connected: readonly Candidate[]): Index {
  const index = new Map<string, string[]>();
  const add = (entry: string, id: string): void => {
    const ids = index.get(entry);
    if (ids) ids.push(id);
    else index.set(entry, [id]);
  };
  for (const { id, groups } of connected.toSorted((one, two) => (one.id < two.id ? -1 : 1)))
    for (const entry of new Set([id, ...groups])) add(entry, id);
  return index;
}

/**
 * Servers that run the check, in the order in which the check names them. At most ten places in all, since a group may
 * have hundreds. Disconnected servers are skipped: another member of the group takes over meanwhile.
 */
export function serversOf(check: From, index: Index): string[] {
  const servers = new Set(fromOf(check).flatMap((entry) => (entry === HERE ? [] : (index.get(entry) ?? []))));
  return [...servers].slice(0, MOST_PLACES - (isAskedHere(check) ? 1 : 0));
}

/**
 * Number of places with a fresh result that must fail: the check's `agree`, capped at their number; without it a
 * majority.
 */
export const neededOf = ({ agree }: Pick<Check, "agree">, fresh: number): number =>
  Math.min(agree ?? Math.floor(fresh / 2) + 1, fresh);
