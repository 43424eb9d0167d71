import type { Outcome, SqlResult, SqlSession, SqlStatement, Work } from "@signalbox/adapters/kysely";
import type { Fences } from "../leadership/fences.ts";
import type { Borrowed, Connections } from "./connections.ts";
import { type ClientSession, clientSession, type StatementNames } from "./session.ts";
import { socketOf } from "./silent.ts";

/**
 * Begins with a timeout: a process that stalls within a transaction would keep its locks, and no other process could take over.
 * Set here, because poolers refuse parameters of a connection.
 */
const BEGIN: SqlStatement = {
  sql: "begin isolation level read committed; set local idle_in_transaction_session_timeout = 10000",
  kept: true,
};
const SNAPSHOT: SqlStatement = { sql: "begin isolation level repeatable read read only", kept: true };

export interface Transactions {
  read<R>(work: Work<R>): Promise<R>;
  write<R>(work: Work<Outcome<R>>): Promise<R>;
  /** Runs work of a single statement without begin and commit, each of which would cost as much as the statement. */
  alone<R>(work: Work<R>): Promise<R>;
  /** The same for a statement that only reads, so that no term has to be valid. */
  look<R>(work: Work<R>): Promise<R>;
  /** Resolves when every transaction begun so far has ended. */
  idle(): Promise<void>;
}

export function createTransactions(
  connections: Connections,
  names: () => StatementNames | undefined,
  fences: Pick<Fences, "current">,
): Transactions {
  const commits = createCommitOrder();
  const { track, idle } = createTracking();
  const open = (begin: Begin): Transaction => openTransaction(connections, names(), begin);
  const write: Transactions["write"] = (work) =>
    track(runWrite(open({ statement: BEGIN, fence: fences.current() }), commits, work));
  const look: Transactions["look"] = (work) => track(runAlone(connections, names(), work));
  return {
    look,
    async read(work) {
      const transaction = open({ statement: SNAPSHOT });
      try {
        return await track(work(transaction.session));
      } finally {
        // Not awaited: a caller who has an answer need not wait for the end of its snapshot.
        void track(rollBack(transaction));
      }
    },
    write,
    alone(work) {
      if (!fences.current()) return look(work);
      // A fenced transaction itself checks whether its term is over.
      return write(async (session) => ({ result: await work(session), committed: () => undefined }));
    },
    idle,
  };
}

function createTracking() {
  const running = new Set<Promise<unknown>>();
  return {
    track<R>(transaction: Promise<R>): Promise<R> {
      running.add(transaction);
      const forget = (): void => void running.delete(transaction);
      transaction.then(forget, forget);
      return transaction;
    },
    async idle(): Promise<void> {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}

interface Begin {
  readonly statement: SqlStatement;
  /** Rejects when the transaction must not begin after all. */
  readonly fence?: ReturnType<Fences["current"]>;
}

interface Opened {
  readonly borrowed: Borrowed;
  readonly session: ClientSession;
}

/** A transaction whose begin is under way. */
interface Sent extends Opened {
  readonly beginning: Promise<SqlResult>;
}

/** A transaction that begins with its first statement: work without statements costs the server nothing. */
interface Transaction {
  readonly session: SqlSession;
  /** The open transaction; undefined when there was no statement. Rejects when beginning failed. */
  opened(): Promise<Opened> | undefined;
}

/** Matches statements that do no harm outside of the transaction. */
const READS = /^select (?!.*\b(?:for update|pg_notify)\b)/s;

/**
 * Reads are sent along with the begin, in one round trip. A write waits until the transaction is open: if beginning fails, it
 * would commit on its own. All statements after it wait too, as they may have to see its effect, or that of a transaction it
 * waited for.
 */
function openTransaction(connections: Connections, names: StatementNames | undefined, begin: Begin): Transaction {
  let sending: Promise<Sent> | undefined;
  let opening: Promise<Opened> | undefined;
  let opened: Opened | undefined;
  let isHeld = false;
  const send = async (): Promise<Sent> => {
    const borrowed = await connections.borrow();
    const session = gathering(borrowed.client, clientSession(borrowed.client, names));
    return { borrowed, session, beginning: session.run(begin.statement, []) };
  };
  const open = async (sent: Promise<Sent>): Promise<Opened> => {
    const { borrowed, session, beginning } = await sent;
    try {
      await beginning;
      await begin.fence?.(session);
    } catch (error) {
      borrowed.release(true);
      throw error;
    }
    opened = { borrowed, session };
    return opened;
  };
  const runEarly: SqlSession["run"] = async (statement, parameters) => {
    sending ??= send();
    opening ??= open(sending);
    // Every statement below rejects with this error, whether or not anybody asks for the end of the transaction.
    opening.catch(() => undefined);
    const { borrowed, session } = await sending;
    isHeld ||= !borrowed.client.pipeline || !READS.test(statement.sql);
    const early = isHeld ? undefined : session.run(statement, parameters);
    // When beginning fails, that error is the one to report.
    early?.catch(() => undefined);
    await opening;
    return early ?? session.run(statement, parameters);
  };
  return {
    session: { run: (...asked) => (opened ? opened.session.run(...asked) : runEarly(...asked)) },
    opened: () => opening,
  };
}

/**
 * Sends the statements of one turn in one write to the socket. Each write costs more than its bytes: a fifth of a short
 * transaction, and a third of several that share one.
 */
function gathering(client: Borrowed["client"], session: ClientSession): ClientSession {
  const stream = socketOf(client);
  if (!stream?.cork) return session;
  let isGathering = false;
  const gather = (): void => {
    isGathering = true;
    stream.cork();
    process.nextTick(() => {
      isGathering = false;
      stream.uncork();
    });
  };
  return {
    ...session,
    run(statement, parameters) {
      if (!isGathering) gather();
      return session.run(statement, parameters);
    },
  };
}

/** Closes the connection when the statement failed: it may be broken. */
async function runAlone<R>(connections: Connections, names: StatementNames | undefined, work: Work<R>): Promise<R> {
  const { client, release } = await connections.borrow();
  let hasAnswered = false;
  try {
    const result = await work(clientSession(client, names));
    hasAnswered = true;
    return result;
  } finally {
    release(!hasAnswered);
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
  await commits.inOrder(opened ? finish(opened, "commit") : Promise.resolve(), outcome.committed);
  return outcome.result;
}

/** Rolls a transaction back; never rejects. */
async function rollBack(transaction: Transaction): Promise<void> {
  // When beginning failed, there is nothing to end, and the work already has the error.
  const opened = await transaction.opened()?.catch(() => undefined);
  if (opened) await finish(opened, "rollback");
}

/** Ends the transaction and returns the connection to the pool. A rollback never rejects: the connection is closed instead. */
async function finish({ session, borrowed: { release } }: Opened, how: "commit" | "rollback"): Promise<void> {
  let command: string;
  try {
    command = await session.finish(how);
  } catch (error) {
    release(true);
    if (how === "commit") throw error;
    return;
  }
  release();
  // The server answers ROLLBACK when a statement failed and the work continued regardless.
  if (how === "commit" && command !== "COMMIT")
    throw new Error("The transaction was rolled back: a statement in it had failed");
}

interface CommitOrder {
  /** Calls `committed` and resolves once this commit and all commits requested earlier have ended; rejects as the commit does. */
  inOrder(commit: Promise<void>, committed: () => void): Promise<void>;
}

/**
 * Keeps listeners in the order of commits. A writer that saw another one's changes requested its commit later, so the order of
 * requests is the order in which listeners may learn of dependent changes. The answers of several connections may overtake each
 * other.
 */
function createCommitOrder(): CommitOrder {
  let earlier: Promise<unknown> = Promise.resolve();
  return {
    inOrder(commit, committed) {
      const before = earlier;
      const ended = Promise.allSettled([commit, before]).then(async () => {
        // Rejects, and calls no listener, when the commit failed.
        await commit;
        committed();
      });
      earlier = ended.catch(() => undefined);
      return ended;
    },
  };
}
