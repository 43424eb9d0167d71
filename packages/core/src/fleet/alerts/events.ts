import type { DefinitionEvents } from "../../kernel/plugins/events.ts";

export interface AlertEvents extends DefinitionEvents<"alert"> {
  /** An invocation began; `id` is the invocation's. */
  "alert.fired": { id: string; alert: string; server: string };
  /** A person acknowledged an invocation; `id` is the invocation's. */
  "alert.acknowledged": { id: string; alert: string; server: string };
  /** An acknowledgement was taken back or expired; `id` is the invocation's. */
  "alert.unacknowledged": { id: string; alert: string; server: string };
  /** The tickets linked to an invocation changed; `id` is the invocation's. */
  "alert.linked": { id: string };
  /** An invocation was deleted, possibly a live one; `id` is the invocation's. */
  "alert.removed": { id: string };
  /** An invocation ended; `id` is the invocation's. */
  "alert.cleared": { id: string; alert: string; server: string };
}
