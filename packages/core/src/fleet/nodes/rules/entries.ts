import type { Conductor, NodeEntry } from "../model.ts";

/** A node as this one sees it. */
export interface HeardNode extends Pick<NodeEntry, "host" | "id" | "protocol" | "started" | "version"> {
  readonly state: NodeEntry["stats"]["state"];
  readonly satellites: number;
  readonly jobs: number;
  readonly load: number;
  readonly lagMs: number;
  /** Milliseconds since its last beat. */
  readonly beatAgeMs: number;
}

interface Look {
  /** Unix seconds. */
  readonly now: number;
  readonly leader: string | undefined;
  readonly isOnline: boolean;
  readonly pingMs: number;
}

/** A node as callers see it. */
export function entryOf(node: HeardNode, { now, leader, isOnline, pingMs }: Look): NodeEntry {
  const { id, host, version, protocol, started, state, satellites, jobs, load, lagMs, beatAgeMs } = node;
  return {
    id,
    host,
    version,
    protocol,
    started: Math.floor(started),
    online: isOnline,
    master: id === leader,
    date: Math.floor(now - beatAgeMs / 1000),
    ping: pingMs,
    stats: { satellites, jobs, load, lag_ms: lagMs, state },
  };
}

/** Nodes by host name. Nodes that share a machine are keyed by their ids. */
export function byName(entries: readonly NodeEntry[]): Record<string, Conductor> {
  const named = Map.groupBy(entries, ({ host }) => host);
  return Object.fromEntries(
    entries.map(({ id: node, host, started: _started, protocol: _protocol, ...facts }) => {
      const id = named.get(host)?.length === 1 ? host : node;
      return [id, { id, node, ...facts }];
    }),
  );
}
