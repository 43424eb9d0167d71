import { AsyncLocalStorage } from "node:async_hooks";
import { createTurns } from "../lib/turns/turns.ts";
import type { Logger } from "../ports/logger.ts";
import type { Drafts } from "./tables/tables.ts";

export type Listeners = (() => void)[];
export type Transact = <R>(work: (drafts: Drafts, after: Listeners) => R | Promise<R>) => Promise<R>;

/** Runs transactions one after another; `idle` waits for those requested so far. */
export function createWriter(begin: () => Drafts, log: Logger): { transact: Transact; idle(): Promise<void> } {
  const inWrite = new AsyncLocalStorage<{ active: boolean }>();
  const turns = createTurns();
  const run = async <R>(work: (drafts: Drafts, after: Listeners) => R | Promise<R>): Promise<R> => {
    const scope = { active: true };
    try {
      const drafts = begin();
      const after: Listeners = [];
      const result = await inWrite.run(scope, async () => work(drafts, after));
      drafts.commit();
      for (const listener of after) notify(listener, log);
      return result;
    } finally {
      // Asynchronous work started in the transaction may outlive it and write again.
      scope.active = false;
    }
  };
  return {
    transact: (work) => {
      if (inWrite.getStore()?.active)
        return Promise.reject(new Error("A write inside another write would wait for itself: use the outer one"));
      return turns.run(() => run(work));
    },
    idle: turns.idle,
  };
}

/** A listener that throws harms neither the commit nor the other listeners. */
export function notify(listener: () => void, log: Logger): void {
  try {
    listener();
  } catch (error) {
    log.error({ error }, "A listener failed after a commit");
  }
}
