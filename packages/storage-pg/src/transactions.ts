import type { Writable } from "node:stream";
import type { Outcome, SqlResult, SqlSession, SqlStatement, Work } from "@signalbox/adapters/kysely";
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
  const open = (begin: SqlStatement): Transaction => openTransaction(connections, names, begin);
  return {
    async read(work) {
      const transaction = open(SNAPSHOT);
      try {
        return await track(work(transaction.session));
      } finally {
        // Not awaited: who has an answer need not wait for the end of its snapshot.
        void track(rollBack(transaction));
      }
    },
    write: (work) => track(runWrite(open(BEGIN), commits, work)),
    async idle() {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}

interface Opened {
  readonly borrowed: Borrowed;
  readonly session: SqlSession;
}

/** A transaction that begins with its first statement: work without any costs the server nothing. */
interface Transaction {
  readonly session: SqlSession;
  /** What there is to end: undefined when no statement came. Rejects when beginning failed. */
  opened(): Promise<Opened> | undefined;
}

/** Harmless as a transaction of its own. */
const READS = /^select (?!.*\b(?:for update|pg_notify)\b)/s;

/**
 * A first statement that reads is sent along with the begin, one round trip for both. One that writes waits until the
 * transaction is open: should beginning fail, it would be committed by itself.
 */
function openTransaction(
  connections: Connections,
  names: StatementNames | undefined,
  begin: SqlStatement,
): Transaction {
  let opening: Promise<Opened> | undefined;
  const open = async (sendAlong: (session: SqlSession) => void): Promise<Opened> => {
    const borrowed = await connections.borrow();
    const session = clientSession(borrowed.client, names);
    try {
      await inOneWrite(borrowed.client, () => {
        const beginning = session.run(begin, []);
        if (borrowed.client.pipeline) sendAlong(session);
        return beginning;
      });
    } catch (error) {
      borrowed.release(true);
      throw error;
    }
    return { borrowed, session };
  };
  const runFirst: SqlSession["run"] = async (statement, parameters) => {
    const sent: { result?: Promise<SqlResult> } = {};
    opening = open((session) => {
      if (!READS.test(statement.sql)) return;
      sent.result = session.run(statement, parameters);
      // Where beginning fails, that is the error to tell.
      sent.result.catch(() => undefined);
    });
    const { session } = await opening;
    return sent.result ?? session.run(statement, parameters);
  };
  return {
    session: {
      run: async (statement, parameters) =>
        opening ? (await opening).session.run(statement, parameters) : runFirst(statement, parameters),
    },
    opened: () => opening,
  };
}

/** Each write to a socket costs more than what is written: a fifth of a short transaction. */
function inOneWrite<R>(client: Borrowed["client"], send: () => R): R {
  // Not in its types, and absent in a client that is no socket's.
  const { stream } = (client as unknown as { connection?: { stream?: Partial<Writable> } }).connection ?? {};
  stream?.cork?.();
  try {
    return send();
  } finally {
    stream?.uncork?.();
  }
}

async function runWrite<R>(transaction: Transaction, commits: CommitOrder, work: Work<Outcome<R>>): Promise<R> {
  let outcome: Outcome<R>;
  let opened: Opened | undefined;
  try {
    outcome = await work(transaction.session);
    opened = await transaction.opened();
  } catch (error) {
    await rollBack(transaction);
    throw error;
  }
  await commits.inOrder(opened ? finish(opened.borrowed, "commit") : Promise.resolve(), outcome.committed);
  return outcome.result;
}

/** Never rejects. */
async function rollBack(transaction: Transaction): Promise<void> {
  // When beginning failed there is nothing to end, and the work has had the error.
  const opened = await transaction.opened()?.catch(() => undefined);
  if (opened) await finish(opened.borrowed, "rollback");
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
