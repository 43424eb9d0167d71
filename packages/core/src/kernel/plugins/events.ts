/**
 * In-process events carry ids and a few scalars, so that no listener acts on a stale copy; events of servers, groups and
 * snapshots carry the record as it was at that moment (docs/contract/servers.md#in-process-events). Domains and plugins widen the
 * map by declaration merging. Delivery is best effort; enqueue work that must happen.
 */
export interface SignalboxEvents {
  /** Resident definitions changed, on this node or another one. */
  "definitions.changed": { collection: string; ids: readonly string[] };
  /** A background deletion of many records has finished; `id` is the one that the call ordering it answered. */
  "bulk.deleted": { list: "jobs" | "tickets" | "alerts" | "snapshots"; id?: string };
  /** Settings changed while the engine was running, on this node or another one. */
  "config.changed": Record<never, never>;
  "signalbox.started": Record<never, never>;
  /** This node has become the leader. */
  "node.leads": Record<never, never>;
  /** An administrator asked this node to drain: it drains and stops by itself, and a host ends its process after `stop`. */
  "signalbox.asked_to_drain": Record<never, never>;
  /** This node is about to stop: it should receive no new callers, and serves its current ones to the end. */
  "signalbox.draining": Record<never, never>;
  /** Emitted before anything is shut down. */
  "signalbox.stopping": Record<never, never>;
}

/** The events of kinds of definitions, "tag.created" …: each carries the id of the record. */
export type DefinitionEvents<Name extends string> = {
  [K in `${Name}.${"created" | "updated" | "deleted"}`]: { id: string };
};
