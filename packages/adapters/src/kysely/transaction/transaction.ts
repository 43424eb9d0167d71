import type { Clock, IdGenerator } from "@signalbox/core/adapter";
import type {
  AnyCollection,
  CollectionDefinition,
  NodeMessage,
  ReadTx,
  StoredRecord,
  WriteTx,
} from "@signalbox/core/storage";
import type { CollectionQueries } from "../collection/collection-queries.ts";
import { kyselyCollection, kyselyReadCollection, type SeenRow } from "../collection/kysely-collection.ts";
import { overwriteDocuments } from "../collection/overwrite.ts";
import type { SqlDialect, SqlSession } from "../dialect.ts";
import type { Faults } from "../faults.ts";
import type { TimelineQueries } from "../timeline/queries.ts";
import { readTimeline } from "../timeline/read.ts";
import { writeTimeline } from "../timeline/write.ts";
import type { CounterQueries } from "./counters.ts";
import { enqueueItem, type WorkQueries } from "./work.ts";

/** Compiled statements of one storage. */
export interface Queries {
  readonly dialect: SqlDialect;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly timeline: TimelineQueries;
  readonly work: WorkQueries;
  readonly counters: CounterQueries;
  /** Throws `TypeError` for a collection the storage was not opened with. */
  collection(definition: AnyCollection): CollectionQueries;
}

/**
 * A session that refuses calls once its transaction has ended, because a late one would end up in another transaction. Errors of
 * statements are thrown by `refuse` to the caller of the statement, so that faults surface before the snapshot ends.
 */
export function guard(session: SqlSession, refuse: Faults["refuse"]): { session: SqlSession; end(): void } {
  let ended = false;
  return {
    session: {
      isSnapshot: session.isSnapshot === true,
      run: (statement, parameters) =>
        ended
          ? Promise.reject(new Error("The transaction has ended: every call on it must be awaited inside the work"))
          : session.run(statement, parameters).catch(refuse),
    },
    end: () => {
      ended = true;
    },
  };
}

export function bindRead(queries: Queries, session: SqlSession): ReadTx {
  return {
    collection: <T extends StoredRecord>(definition: CollectionDefinition<T>) =>
      kyselyReadCollection<T>(queries.collection(definition), session),
    timeline: readTimeline({ queries: queries.timeline, session, shapes: queries.timeline.shapes.bind(session) }),
    counted: (name) => queries.counters.last(session, name),
  };
}

/** Requests of a transaction besides its writes, for after the commit. */
export interface Requests {
  readonly messages: NodeMessage[];
  readonly listeners: (() => void)[];
  /** Nodes that may run the items that were enqueued and are due; undefined = every node. */
  readonly enqueued: Set<string | undefined>;
}

export function bindWrite(queries: Queries, session: SqlSession, requests: Requests): WriteTx {
  const seen = new Map<string, Map<string, SeenRow>>();
  const seenOf = (name: string): Map<string, SeenRow> => {
    const known = seen.get(name) ?? new Map<string, SeenRow>();
    seen.set(name, known);
    return known;
  };
  return {
    collection: <T extends StoredRecord>(definition: CollectionDefinition<T>) =>
      kyselyCollection<T>(queries.collection(definition), session, seenOf(definition.name)),
    timeline: writeTimeline({
      queries: queries.timeline,
      session,
      shapes: queries.timeline.shapes.bind(session, (listener) => requests.listeners.push(listener)),
    }),
    overwrite: (definition, documents) => overwriteDocuments(queries.collection(definition), session, documents),
    counted: (name) => queries.counters.last(session, name),
    counter: (name, above) => queries.counters.next(session, name, above),
    lock: (key, waitMs) => queries.dialect.lock(session, key, waitMs),
    async enqueue(kind, payload, options = {}) {
      const now = queries.clock.now();
      await enqueueItem(queries.work, session, { id: queries.ids.short("w"), kind, payload, now, options });
      // Woken for an item due later, a claim would find nothing.
      if ((options.runAt ?? now) <= now) requests.enqueued.add(options.node);
    },
    publish: (message) => void requests.messages.push(message),
    afterCommit: (listener) => void requests.listeners.push(listener),
  };
}
