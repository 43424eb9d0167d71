import type { Limits } from "../options.ts";

/**
 * Bounds the number of open sockets, and the cost of sockets that have not joined (docs/contract/satellites.md#bounds).
 */
export interface Door<Visitor> {
  /** Admits a socket; false when there are too many. */
  enter(visitor: Visitor, address: string): boolean;
  /** Counts bytes from a socket that has not joined. Returns a visitor to evict when a bound is exceeded. */
  received(visitor: Visitor, bytes: number): Visitor | undefined;
  joined(visitor: Visitor): void;
  left(visitor: Visitor): void;
}

interface Pending {
  readonly address: string;
  bytes: number;
}

type DoorLimits = Pick<
  Limits,
  "maxSockets" | "maxPending" | "maxPendingPerAddress" | "maxHelloBytes" | "maxPendingBytes"
>;

export function createDoor<Visitor>(limits: DoorLimits): Door<Visitor> {
  const inside = new Set<Visitor>();
  const pending = new Map<Visitor, Pending>();
  const perAddress = new Map<string, number>();
  let pendingBytes = 0;

  const settle = (visitor: Visitor): void => {
    const entry = pending.get(visitor);
    if (!entry) return;
    pending.delete(visitor);
    pendingBytes -= entry.bytes;
    const rest = (perAddress.get(entry.address) ?? 1) - 1;
    if (rest > 0) perAddress.set(entry.address, rest);
    else perAddress.delete(entry.address);
  };

  return {
    enter(visitor, address) {
      const count = perAddress.get(address) ?? 0;
      const isFull = inside.size >= limits.maxSockets || pending.size >= limits.maxPending;
      if (isFull || count >= limits.maxPendingPerAddress) return false;
      inside.add(visitor);
      pending.set(visitor, { address, bytes: 0 });
      perAddress.set(address, count + 1);
      return true;
    },
    received(visitor, bytes) {
      const entry = pending.get(visitor);
      if (!entry) return undefined;
      entry.bytes += bytes;
      pendingBytes += bytes;
      if (entry.bytes > limits.maxHelloBytes) return visitor;
      return pendingBytes > limits.maxPendingBytes ? largestOf(pending) : undefined;
    },
    joined: settle,
    left(visitor) {
      settle(visitor);
      inside.delete(visitor);
    },
  };
}

/** The socket that sent most: agents send little before they join, so it is no agent, or one that can wait. */
function largestOf<Visitor>(pending: ReadonlyMap<Visitor, Pending>): Visitor | undefined {
  let found: Visitor | undefined;
  let most = -1;
  for (const [visitor, { bytes }] of pending)
    if (bytes > most) {
      found = visitor;
      most = bytes;
    }
  return found;
}
