import { AsyncLocalStorage } from "node:async_hooks";

export interface WriteScope {
  /**
   * Marks the work of a write. Throws if the caller is itself inside the work of a write, because it would wait for itself. The
   * work must later run in the asynchronous context of this call, as backends do.
   */
  bind<A, R>(work: (argument: A) => Promise<R>): (argument: A) => Promise<R>;
}

export function createWriteScope(): WriteScope {
  const inside = new AsyncLocalStorage<{ active: boolean }>();
  return {
    bind(work) {
      if (inside.getStore()?.active)
        throw new Error("A write inside another write would wait for itself: use the outer one");
      return async (argument) => {
        const scope = { active: true };
        try {
          return await inside.run(scope, work, argument);
        } finally {
          // Asynchronous work begun in the transaction may outlive it and write again.
          scope.active = false;
        }
      };
    },
  };
}
