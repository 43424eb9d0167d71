import type { DefinitionEvents } from "../../kernel/plugins/events.ts";

export interface AlertEvents extends DefinitionEvents<"alert"> {
  /** An invocation began; `id` is its id. */
  "alert.fired": { id: string; alert: string; server: string };
  /** A person has taken an invocation over; `id` is its id. */
  "alert.acknowledged": { id: string; alert: string; server: string };
  /** An acknowledgement was taken back, or has ended at its time; `id` is the invocation's. */
  "alert.unacknowledged": { id: string; alert: string; server: string };
  /** Other tickets were linked to an invocation; `id` is its id. */
  "alert.linked": { id: string };
  /** An invocation was deleted, which may have been live; `id` is its id. */
  "alert.removed": { id: string };
  /** An invocation ended; `id` is its id. */
  "alert.cleared": { id: string; alert: string; server: string };
}
