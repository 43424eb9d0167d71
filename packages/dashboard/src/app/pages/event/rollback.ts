import type { api } from "../../data/calls/session.ts";
import type { Event } from "../events/deeds.ts";

type Update = Parameters<typeof api.updateEvent>[0];

const STAMPS: ReadonlySet<string> = new Set(["username", "created", "modified", "revision"]);

/** An empty value of the same type, for a member that an update cannot remove. */
function nothingLike(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  if (typeof value === "string") return "";
  return typeof value === "object" && value !== null ? {} : null;
}

/**
 * The update that rolls an event back: the members of that revision, and empty values for members added since. It
 * carries the current revision, so that the server refuses it if somebody changed the event in between.
 */
export function rollbackOf(current: Event, then: Event): Update {
  const added = Object.entries(current).filter(([name]) => !(name in then));
  const emptied = added.map(([name, value]) => [name, nothingLike(value)] as const);
  const members = [...Object.entries(then), ...emptied].filter(([name]) => !STAMPS.has(name));
  return { ...Object.fromEntries(members), id: current.id, if_revision: current.revision } as unknown as Update;
}
