import type { Outcome, SqlSession, SqlStatement, Work } from "@signalbox/adapters/kysely";
import type { Borrowed, Connections } from "./connections.ts";
import { clientSession, type StatementNames } from "./session.ts";

const BEGIN: SqlStatement = { sql: "begin isolation level read committed", kept: true };
const SNAPSHOT: SqlStatement = { sql: "begin isolation level repeatable read read only", kept: true };

export interface Transactions {
  read<R>(work: Work<R>): Promise<R>;
  write<R>(work: Work<Outcome<R>>): Promise<R>;
  /** Resolves when every transaction begun so far has ended. */
  idle(): Promise<void>;
}

export function createTransactions(connections: Connections, names: StatementNames | undefined): Transactions {
  const running = new Set<Promise<unknown>>();
  const commits = createCommitOrder();
  const track = <R>(transaction: Promise<R>): Promise<R> => {
    running.add(transaction);
    const forget = (): void => void running.delete(transaction);
    transaction.then(forget, forget);
    return transaction;
  };
  return {
    read: (work) => track(runRead(connections, names, work)),
    write: (work) => track(runWrite(connections, names, commits, work)),
    async idle() {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}

/** The connection is taken, and the snapshot begun, at the first statement. */
async function runRead<R>(connections: Connections, names: StatementNames | undefined, work: Work<R>): Promise<R> {
  let begun: Promise<{ borrowed: Borrowed; session: SqlSession }> | undefined;
  const begin = async (): Promise<{ borrowed: Borrowed; session: SqlSession }> => {
    const borrowed = await connections.borrow();
    const session = clientSession(borrowed.client, names);
    try {
      await session.run(SNAPSHOT, []);
    } catch (error) {
      borrowed.release(true);
      throw error;
    }
    return { borrowed, session };
  };
  try {
    return await work({
      async run(statement, parameters) {
        begun ??= begin();
        return (await begun).session.run(statement, parameters);
      },
    });
  } finally {
    // When beginning failed there is nothing to end, and the work has had the error.
    const open = await begun?.catch(() => undefined);
    if (open) await finish(open.borrowed, "rollback");
  }
}

async function runWrite<R>(
  connections: Connections,
  names: StatementNames | undefined,
  commits: CommitOrder,
  work: Work<Outcome<R>>,
): Promise<R> {
  const borrowed = await connections.borrow();
  const session = clientSession(borrowed.client, names);
  let outcome: Outcome<R>;
  try {
    await session.run(BEGIN, []);
    outcome = await work(session);
  } catch (error) {
    await finish(borrowed, "rollback");
    throw error;
  }
  await commits.inOrder(finish(borrowed, "commit"), outcome.committed);
  return outcome.result;
}

/** Ends the transaction and gives the connection back. A rollback never rejects: the connection is closed instead. */
async function finish({ client, release }: Borrowed, how: "commit" | "rollback"): Promise<void> {
  let command: string;
  try {
    ({ command } = await client.query(how));
  } catch (error) {
    release(true);
    if (how === "commit") throw error;
    return;
  }
  release();
  // The server answers so when a statement failed and the work went on regardless.
  if (how === "commit" && command !== "COMMIT")
    throw new Error("The transaction was rolled back: a statement in it had failed");
}

interface CommitOrder {
  /**
   * Calls `committed` when this commit and all commits asked for earlier have ended, and resolves then; rejects as the
   * commit does.
   */
  inOrder(commit: Promise<void>, committed: () => void): Promise<void>;
}

/**
 * Who saw another one's changes asked for his commit later than that one; so the order of asking is the order in which
 * listeners may learn of dependent changes, while answers of several connections may overtake each other.
 */
function createCommitOrder(): CommitOrder {
  let earlier: Promise<unknown> = Promise.resolve();
  return {
    inOrder(commit, committed) {
      const before = earlier;
      const ended = Promise.allSettled([commit, before]).then(async () => {
        // Rejects, and calls nobody, when the commit failed.
        await commit;
        committed();
      });
      earlier = ended.catch(() => undefined);
      return ended;
    },
  };
}
