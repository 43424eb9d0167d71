import { AsyncLocalStorage } from "node:async_hooks";

export interface WriteScope {
  /**
   * Binds the work of a write to the caller's asynchronous context, in which it will run wherever the write queue runs
   * it. Throws when the caller is itself inside the work of a write: it would wait for itself.
   */
  bind<A, R>(work: (argument: A) => Promise<R>): (argument: A) => Promise<R>;
}

export function createWriteScope(): WriteScope {
  const inside = new AsyncLocalStorage<{ active: boolean }>();
  return {
    bind(work) {
      if (inside.getStore()?.active)
        throw new Error("A write inside another write would wait for itself: use the outer one");
      const resume = AsyncLocalStorage.snapshot();
      return async (argument) => {
        const scope = { active: true };
        try {
          return await resume(() => inside.run(scope, work, argument));
        } finally {
          // What the work set off may outlive it and write again.
          scope.active = false;
        }
      };
    },
  };
}
