/**
 * In-process events: ids and a few scalars, so that no listener acts on a stale copy; events of servers, groups and
 * snapshots have the record as it was then (docs/contract/servers.md#in-process-events). Domains and plugins widen the map
 * by declaration merging. Delivery is best effort; work that must happen is enqueued.
 */
export interface SignalboxEvents {
  /** Resident definitions changed, on this node or on another one. */
  "definitions.changed": { collection: string; ids: readonly string[] };
  /** A deletion of many records in the background came to its end; `id` is the one in the answer to its order. */
  "bulk.deleted": { list: "jobs" | "tickets" | "alerts" | "snapshots"; id?: string };
  /** Settings were changed while the engine runs, on this node or another one. */
  "config.changed": Record<never, never>;
  "signalbox.started": Record<never, never>;
  /** This node leads from now on. */
  "node.leads": Record<never, never>;
  /** An administrator asked for it: this node drains and stops by itself, and a host ends its process after `stop`. */
  "signalbox.asked_to_drain": Record<never, never>;
  /** This node is about to stop: it should get no new callers, and serves the present ones to the end. */
  "signalbox.draining": Record<never, never>;
  /** Sent before anything is shut down. */
  "signalbox.stopping": Record<never, never>;
}

/** The events of kinds of definitions, "tag.created" …: each has the id of the record. */
export type DefinitionEvents<Name extends string> = {
  [K in `${Name}.${"created" | "updated" | "deleted"}`]: { id: string };
};
