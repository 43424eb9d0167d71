import type { Logger } from "../logger.ts";
import type { Coordination, Term } from "./coordination.ts";
import type { StoredNode } from "./nodes.ts";

/** Coordination of a single process: it leads every office at once and hears from no other node. */
export function localCoordination({ nodeId, log }: { nodeId: string; log: Logger }): Coordination {
  // Holds more than one row only where a test lets several engines share a storage.
  const rows = new Map<string, StoredNode>();
  const readers = new Map<string, (text: string) => void>();
  return {
    nodeId,
    shared: false,
    leaderOf: () => nodeId,
    async beat(row) {
      const before = rows.get(row.id);
      rows.set(row.id, { ...row, beat: (before?.beat ?? 0) + 1 });
      const others = [...rows.values()].filter(({ id }) => id !== row.id);
      return { wasKnown: before !== undefined, others, nowMs: Date.now() };
    },
    async post(node, text) {
      readers.get(node)?.(text);
    },
    async collect(node, handler) {
      readers.set(node, handler);
      return { [Symbol.dispose]: () => void readers.delete(node) };
    },
    forgetNode: async (id) => void rows.delete(id),
    lead(office, hold) {
      const withdrawn = new AbortController();
      const term: Term = { lost: withdrawn.signal, fenced: (work) => work() };
      hold(term).catch((error: unknown) => log.error({ office, error }, "The holder of an office failed"));
      return { [Symbol.dispose]: () => withdrawn.abort() };
    },
    tell: async () => undefined,
    subscribe: async () => ({ [Symbol.dispose]: () => undefined }),
  };
}
