import type { Coordination, Term } from "./coordination.ts";
import type { Logger } from "./logger.ts";

/** One process alone: it leads everything at once and has nobody to hear from. */
export function localCoordination({ nodeId, log }: { nodeId: string; log: Logger }): Coordination {
  return {
    nodeId,
    shared: false,
    lead(office, hold) {
      const withdrawn = new AbortController();
      const term: Term = { lost: withdrawn.signal, fenced: (work) => work() };
      hold(term).catch((error: unknown) => log.error({ office, error }, "The holder of an office failed"));
      return { [Symbol.dispose]: () => withdrawn.abort() };
    },
    subscribe: async () => ({ [Symbol.dispose]: () => undefined }),
  };
}
