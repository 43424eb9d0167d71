import type { api } from "../../data/calls/session.ts";
import type { Event } from "../events/deeds.ts";

type Update = Parameters<typeof api.updateEvent>[0];

const STAMPS: ReadonlySet<string> = new Set(["username", "created", "modified", "revision"]);

/** The empty value of a member that cannot be taken out of a record again. */
function nothingLike(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  if (typeof value === "string") return "";
  return typeof value === "object" && value !== null ? {} : null;
}

/**
 * The update that takes an event back: all members of that time, and empty values for members that came later. It names
 * the current revision, so a change that came in between is not overwritten.
 */
export function rollbackOf(current: Event, then: Event): Update {
  const added = Object.entries(current).filter(([name]) => !(name in then));
  const emptied = added.map(([name, value]) => [name, nothingLike(value)] as const);
  const members = [...Object.entries(then), ...emptied].filter(([name]) => !STAMPS.has(name));
  return { ...Object.fromEntries(members), id: current.id, if_revision: current.revision } as unknown as Update;
}
