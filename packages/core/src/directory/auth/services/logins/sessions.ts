import type { Client, Reply } from "../../../../kernel/calls/context.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import { NotFoundError } from "../../../../kernel/errors/errors.ts";
import { deleteFound } from "../../../../kernel/searches/delete-found.ts";
import { callerNetwork } from "../../../../lib/network/network.ts";
import type { WriteTx } from "../../../../ports/storage/storage.ts";
import { atMost, hasWord } from "../../../../search/ast.ts";
import { sessionCollection } from "../../collection.ts";
import type { Session } from "../../model.ts";
import { clearedCookie } from "../../rules/cookie.ts";
import { isExpired, isSessionId, isTouchDue, sessionKey, sessionPeriod, touched } from "../../rules/session.ts";

/** Sessions, for other domains. */
export interface Sessions {
  /**
   * Ends the sessions of an account except the one with the record key `except`; returns how many. `user` is the key of the
   * account. The next request of each ended session fails.
   */
  endAll(tx: WriteTx, user: string, except?: string): Promise<number>;
  /** Stores a new session; ends the oldest of an account that has too many. */
  add(tx: WriteTx, session: Session): Promise<void>;
  /** The live session with this id, always read from the store; undefined for a malformed, unknown or expired one. */
  find(id: string): Promise<Session | undefined>;
  /** True when an account has a live session that was started in this network (see `callerNetwork`). */
  isKnownNetwork(user: string, network: string): Promise<boolean>;
  /** Extends a session in use, at most once an hour. The request does not wait for it. */
  touch(session: Session): void;
  /** Makes the browser delete its session cookie, whether it sent one or not. */
  clearCookie(context: { readonly client: Client; readonly reply: Reply }): void;
  /** Removes expired sessions, a batch per transaction. `now` is Unix seconds. */
  sweep(now: number, signal: AbortSignal): Promise<void>;
  /** Resolves when no touch is being written. */
  settled(): Promise<void>;
}

const BATCH = 200;
/** Bound of sessions per account: programs that sign in for every call must not fill the store. */
const MAX_SESSIONS = 1000;
/** Bound of touches written at once. A session that is skipped is touched by its next request. */
const MAX_TOUCHES = 100;

const ofUser = (user: string) => hasWord("user", user);

type Deps = Pick<Cradle, "clock" | "config" | "log" | "storage" | "transact">;

export function createSessions(deps: Deps): Sessions {
  const { storage, transact, clock } = deps;
  return {
    clearCookie({ client, reply }) {
      const cookie = clearedCookie(deps.config.User, client.baseUrl);
      if (cookie !== undefined) reply.setHeader("Set-Cookie", cookie);
    },
    async endAll(tx, user, except) {
      const sessions = tx.collection(sessionCollection);
      const { rows } = await sessions.find(ofUser(user));
      const ended = rows.map(({ id }) => id).filter((id) => id !== except);
      await sessions.deleteMany(ended);
      return ended.length;
    },
    async add(tx, session) {
      const sessions = tx.collection(sessionCollection);
      const { rows, total } = await sessions.find(ofUser(session.user), { limit: BATCH });
      await sessions.deleteMany(rows.slice(0, Math.max(0, total + 1 - MAX_SESSIONS)).map(({ id }) => id));
      await sessions.insert(session);
    },
    async find(id) {
      if (!isSessionId(id)) return undefined;
      const session = await storage.read((tx) => tx.collection(sessionCollection).get(sessionKey(id)));
      return session && !isExpired(session, clock.now()) ? session : undefined;
    },
    async isKnownNetwork(user, network) {
      const { rows } = await storage.read((tx) => tx.collection(sessionCollection).find(ofUser(user)));
      const now = clock.now();
      return rows.some((session) => !isExpired(session, now) && callerNetwork(session.ip) === network);
    },
    ...createTouch(deps),
    async sweep(now, signal) {
      for (let removed = BATCH; removed === BATCH && !signal.aborted; )
        removed = await transact(({ tx }) =>
          deleteFound(tx.collection(sessionCollection), atMost("expires", now), { limit: BATCH }),
        );
    },
  };
}

function createTouch({ transact, clock, config, log }: Deps): Pick<Sessions, "touch" | "settled"> {
  const running = new Map<string, Promise<void>>();
  const write = async (id: string, now: number): Promise<void> => {
    const period = sessionPeriod(config.User.session_expire_days);
    try {
      await transact(({ tx }) => tx.collection(sessionCollection).update(id, (stored) => touched(stored, now, period)));
    } catch (error) {
      // The session was ended while it was in use, so no record is left to update.
      if (!(error instanceof NotFoundError)) log.warn({ error }, "The use of a session could not be saved");
    } finally {
      running.delete(id);
    }
  };
  return {
    touch(session) {
      const now = Math.floor(clock.now());
      if (!isTouchDue(session, now) || running.has(session.id) || running.size >= MAX_TOUCHES) return;
      running.set(session.id, write(session.id, now));
    },
    async settled() {
      await Promise.all(running.values());
    },
  };
}
