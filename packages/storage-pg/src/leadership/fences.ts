import { AsyncLocalStorage } from "node:async_hooks";
import type { SqlSession, SqlStatement } from "@signalbox/adapters/kysely";
import type { Leases, Tenure } from "./lease.ts";

/** A term, as transactions that began in it see it. */
export interface Fence {
  readonly tenure: Tenure;
  /** Called when a transaction finds that the term is over. */
  lose(): void;
}

export interface Fences {
  /** Transactions that `work` causes while it runs take effect only in this term. */
  run<R>(fence: Fence, work: () => Promise<R>): Promise<R>;
  /** The check for a transaction that begins now; undefined when it belongs to no term. Rejects when the term is over. */
  current(): ((session: SqlSession) => Promise<void>) | undefined;
}

interface Round extends Fence {
  /** True once the round has ended: work that it started and that is still running is no longer the leader's. */
  isOver: boolean;
}

export function createFences(leases: Leases): Fences {
  const rounds = new AsyncLocalStorage<Round>();
  /** A single object, by which connections recognise the prepared statement. */
  let statement: SqlStatement | undefined;
  const isCurrent = (session: SqlSession, tenure: Tenure): Promise<boolean> =>
    leases.fence((sql, parameters = []) => {
      statement ??= { sql, kept: true };
      return session.run(statement, parameters);
    }, tenure);
  return {
    run: (fence, work) => {
      const round: Round = { ...fence, isOver: false };
      return rounds.run(round, work).finally(() => {
        round.isOver = true;
      });
    },
    current() {
      const round = rounds.getStore();
      if (!round || round.isOver) return undefined;
      return async (session) => {
        if (await isCurrent(session, round.tenure)) return;
        round.lose();
        throw new Error("Another node leads: the transaction was not begun");
      };
    },
  };
}
