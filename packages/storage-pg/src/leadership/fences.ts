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
  /** Transactions that begin while `work` runs, and because of it, have effects in this term alone. */
  run<R>(fence: Fence, work: () => Promise<R>): Promise<R>;
  /** The check for a transaction that begins now; undefined where no term is concerned. Rejects when it is over. */
  current(): ((session: SqlSession) => Promise<void>) | undefined;
}

interface Round extends Fence {
  /** The round is over: work that it set off and that goes on after it is not the leader's. */
  isOver: boolean;
}

export function createFences(leases: Leases): Fences {
  const rounds = new AsyncLocalStorage<Round>();
  /** One object, by which connections know the statement that they have prepared. */
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
