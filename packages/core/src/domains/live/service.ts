import type { Cradle } from "../../kernel/container.ts";
import type { Actor } from "../../kernel/context.ts";
import { RateError } from "../../kernel/errors.ts";
import { VERSION } from "../../lib/version.ts";
import type { Change } from "./model.ts";
import { checkSessions, sendable } from "./services/audiences.ts";
import { createDelivery } from "./services/delivery.ts";
import { createJournal, type Journal } from "./services/journal.ts";
import { createOutbox, type Outbox } from "./services/outbox.ts";
import { readStatus } from "./services/status.ts";
import type { Subscriber } from "./services/subscriber.ts";

export interface Listener {
  readonly actor: Actor;
  /** Where in the pages the caller is: "Job?id=j1". */
  readonly loc?: string | undefined;
  /** The id of the last update that the caller had. */
  readonly lastId?: string | undefined;
  readonly signal: AbortSignal;
}

/** Tells those who listen what changes, as far as each of them may know (part 42 §7). */
export interface LiveHub {
  /** Opens a stream. Throws `RateError` when too many are open. */
  listen(listener: Listener): Promise<Outbox>;
  /** Something changed on this node. */
  note(change: Change): void;
  /** The status of the second, and whether sessions still stand. `now` is Unix seconds. */
  tick(now: number): Promise<void>;
  begin(): Promise<void>;
  /** Ends all streams. */
  end(): Promise<void>;
}

const MAX_LISTENERS = 10_000;
/** Sessions end by time, too. Seconds. */
const SESSIONS_SEC = 60;

/** One after the other, so that everybody gets everything once and in order. */
function createTurns() {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run<R>(work: () => Promise<R>): Promise<R> {
      const turn = last.then(work);
      last = turn.catch(() => undefined);
      return turn;
    },
    idle: () => last,
  };
}

export function createLive(cradle: Cradle): LiveHub {
  const { clock, log } = cradle;
  const subscribers = new Set<Subscriber>();
  const stopping = new AbortController();
  const turns = createTurns();
  const attempt = (work: () => Promise<void>): Promise<void> =>
    turns.run(work).catch((error: unknown) => log.error({ error }, "Changes could not be told"));
  const journal: Journal = createJournal(cradle, {
    inTurn: (work) => void attempt(work),
    async changed(changes) {
      if (subscribers.size === 0) return;
      if (changes) await delivery.tell(changes, subscribers);
      else await delivery.tellAll(journal.seq, subscribers);
    },
  });
  const delivery = createDelivery(cradle, journal.idOf);
  const second = createSecond(cradle, { subscribers, journal, delivery });

  /** Everything that happens from here on reaches the newcomer; what it missed comes before. */
  async function join(subscriber: Subscriber, lastId: string | undefined): Promise<void> {
    const missed = journal.since(lastId);
    // Only what is complete may carry an id: one who is cut off before that has to ask again.
    subscriber.outbox.push(sendable(LOGIN, lastId ? undefined : journal.idOf(journal.seq)));
    if (missed) await delivery.tell(missed, [subscriber]);
    else if (lastId) await delivery.tellAll(journal.seq, [subscriber]);
    if (!subscriber.outbox.ended) subscribers.add(subscriber);
  }

  return {
    async listen({ actor, loc, lastId, signal }) {
      if (subscribers.size >= MAX_LISTENERS) throw new RateError("Too many update streams are open.");
      const ended = AbortSignal.any([signal, stopping.signal]);
      const outbox = createOutbox(clock, ended, () => void subscribers.delete(subscriber));
      const current = cradle.identities.follow(actor);
      const subscriber: Subscriber = { opened: actor, loc, outbox, current, audience: undefined };
      journal.want();
      await turns.run(() => join(subscriber, lastId));
      return outbox;
    },
    note: journal.note,
    tick: (now) => attempt(() => second(now)),
    begin: journal.begin,
    async end() {
      stopping.abort();
      journal.end();
      await turns.idle();
    },
  };
}

const LOGIN = { cmd: "login", data: { version: VERSION } };

interface Hub {
  readonly subscribers: ReadonlySet<Subscriber>;
  readonly journal: Journal;
  readonly delivery: ReturnType<typeof createDelivery>;
}

function createSecond(cradle: Cradle, { subscribers, journal, delivery }: Hub): (now: number) => Promise<void> {
  let checkedAt = 0;
  return async (now) => {
    if (subscribers.size === 0) return;
    if (now - checkedAt >= SESSIONS_SEC) {
      checkedAt = now;
      await checkSessions(cradle, [...subscribers]);
    }
    delivery.tellStatus(await readStatus(cradle, journal.tookJobs()), journal.seq, subscribers);
  };
}
