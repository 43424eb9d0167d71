import { type AdoptedTransaction, type ReadTx, StorageError, type WriteTx } from "@signalbox/core/storage";
import type { AdoptedSession, SqlSession, Work } from "../dialect.ts";
import type { Faults } from "../faults.ts";
import { raw } from "../statements.ts";

/** Runs our work on a session and throws errors as callers see them. */
export interface AdoptedWork extends Pick<Faults, "translate" | "refuse"> {
  read<R>(session: SqlSession, work: (tx: ReadTx) => Promise<R>): Promise<R>;
  write<R>(session: SqlSession, work: (tx: WriteTx) => Promise<R>): Promise<R>;
}

/** Runs our transactions under savepoints of a transaction that the host begins and ends. */
export function adoptedTransaction(
  { session, handle, verify, refuseEnded }: AdoptedSession,
  turns: WeakMap<object, Promise<unknown>>,
  { read, write, refuse, translate }: AdoptedWork,
): AdoptedTransaction {
  const underSavepoint = async <R>(work: Work<R>): Promise<R> => {
    refuseEnded?.();
    await session.run(raw("savepoint sb_adopted"), []);
    try {
      await verify();
      const result = await work(session);
      await session.run(raw("release savepoint sb_adopted"), []);
      return result;
    } catch (error) {
      const failure = translate(error);
      try {
        await session.run(raw("rollback to savepoint sb_adopted"), []);
        await session.run(raw("release savepoint sb_adopted"), []);
      } catch (lost) {
        // The host must learn that its transaction is lost, and a failure of the database, such as a full disk, says why.
        throw failure instanceof StorageError ? failure : lost;
      }
      throw failure;
    }
  };
  // One at a time: savepoints form a stack, and two pieces of work would pop each other's.
  const inTurn = <R>(work: Work<R>): Promise<R> => {
    const turn = (turns.get(handle) ?? Promise.resolve()).then(() => underSavepoint(work).catch(refuse));
    turns.set(
      handle,
      turn.catch(() => undefined),
    );
    return turn;
  };
  return {
    read: (work) => inTurn((on) => read(on, work)),
    write: async (work) => inTurn((on) => write(on, work)),
  };
}
