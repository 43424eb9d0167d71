import type { Beats, NodeRow, StoredNode } from "../../ports/nodes/nodes.ts";

/** A node as this one sees it. */
export interface KnownNode extends NodeRow {
  /** Milliseconds since this node noticed its last beat. */
  readonly beatAgeMs: number;
}

export interface SeenNode {
  readonly row: StoredNode;
  /** When its last beat was noticed, on the clock of this process, because of clock skew between machines. */
  readonly sinceMs: number;
}

/** What this node knew about the others at its last successful beat. */
export interface Observation {
  readonly seen: ReadonlyMap<string, SeenNode>;
  /** Time at which this node's last beat was stored; undefined before the first. */
  readonly goodMs: number | undefined;
}

export const NOTHING_SEEN: Observation = { seen: new Map(), goodMs: undefined };

interface Look {
  readonly nowMs: number;
  /** Milliseconds. If the last beat is older, this node has missed beats of the others, so none counts as silent. */
  readonly fenceMs: number;
}

/** Updates the observation with the rows that an own beat has read. */
export function observe(before: Observation, { others }: Beats, { nowMs, fenceMs }: Look): Observation {
  const isGap = before.goodMs === undefined || nowMs - before.goodMs > fenceMs;
  const seen = others.map((row): [string, SeenNode] => {
    const known = before.seen.get(row.id);
    const isSame = known?.row.beat === row.beat && !isGap;
    return [row.id, { row, sinceMs: isSame ? known.sinceMs : nowMs }];
  });
  return { seen: new Map(seen), goodMs: nowMs };
}

/**
 * Start times (Unix seconds) of nodes from which this node has seen a second beat. The first is no proof: the row of a node that
 * ended before this one started stays for a while.
 */
export const startsOfHeard = (before: Observation, { others }: Beats): number[] =>
  others.flatMap(({ id, beat, started }) => {
    const known = before.seen.get(id);
    return known && known.row.beat !== beat ? [started] : [];
  });

export const knownNodes = ({ seen }: Observation, nowMs: number): KnownNode[] =>
  Array.from(seen.values(), ({ row: { beat: _beat, ...row }, sinceMs }) => ({ ...row, beatAgeMs: nowMs - sinceMs }));
