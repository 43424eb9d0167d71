import type { Clock } from "../ports/clock.ts";
import type { IdGenerator } from "../ports/ids.ts";
import type { Logger } from "../ports/logger.ts";
import type { AnyCollection } from "../ports/storage/collection.ts";
import type { ReadTx, WriteTx } from "../ports/storage/storage.ts";
import { requireDocuments } from "../ports/storage/stored-document.ts";
import { type Listeners, notify } from "./memory-writer.ts";
import { type MemoryRow, memoryCollection, memoryReadCollection } from "./tables/memory-collection.ts";
import { memoryReadTimeline, memoryTimeline } from "./tables/memory-timeline.ts";
import { enqueueRow, type WorkTable } from "./tables/memory-work.ts";
import type { Draft, Drafts, Snapshot } from "./tables/tables.ts";

export interface Shared {
  readonly clock: Clock;
  readonly log: Logger;
  readonly ids: IdGenerator;
  readonly wakers: Set<() => void>;
  /** Refuses collections that were not passed to `open`, as a backend without their table would. */
  readonly requireKnown: (definition: AnyCollection) => void;
  readonly nextSeq: () => number;
}

/** Name of the table that holds a collection's rows. */
export const rowsOf = ({ name }: AnyCollection): string => `rows ${name}`;

export async function readSnapshot<R>(
  take: () => Snapshot,
  shared: Shared,
  work: (tx: ReadTx) => Promise<R>,
): Promise<R> {
  let snapshot: Snapshot | undefined;
  let ended = false;
  const current = (): Snapshot => {
    if (ended) throw endedError();
    snapshot ??= take();
    return snapshot;
  };
  const lazyView: Snapshot["view"] = <V>(name: string) => ({
    get: (key: string | number) => current().view<V>(name).get(key),
    values: () => current().view<V>(name).values(),
  });
  try {
    return await work({
      collection: (definition) => {
        shared.requireKnown(definition);
        return memoryReadCollection(definition, lazyView<MemoryRow>(rowsOf(definition)));
      },
      timeline: memoryReadTimeline(lazyView),
      counted: async (name) => lazyView<number>("counters").get(name) ?? 0,
    });
  } finally {
    ended = true;
    snapshot?.release();
  }
}

const endedError = (): Error =>
  new Error("The transaction has ended: every call on it must be awaited inside the work");

/** Drafts that refuse reads and writes once their transaction has ended. */
function guard(drafts: Drafts): { guarded: Drafts; end: () => void } {
  let ended = false;
  const guarded: Drafts = {
    ...drafts,
    table: (name) => {
      if (ended) throw endedError();
      return drafts.table(name);
    },
  };
  const end = (): void => {
    ended = true;
  };
  return { guarded, end };
}

export function writeTx(drafts: Drafts, after: Listeners, shared: Shared): { tx: WriteTx; end: () => void } {
  const { guarded, end } = guard(drafts);
  let enqueued = false;
  const tx: WriteTx = {
    collection: (definition) => {
      shared.requireKnown(definition);
      const { name } = definition;
      const lazy = lazyDraft<MemoryRow>(guarded, rowsOf(definition));
      return memoryCollection(definition, lazy, (column) => guarded.table(`unique ${name} ${column}`));
    },
    timeline: memoryTimeline(guarded),
    async overwrite(definition, documents) {
      shared.requireKnown(definition);
      const rows = guarded.table<MemoryRow>(rowsOf(definition));
      for (const { id, json } of requireDocuments(definition, documents))
        rows.set(id, { id, json, columns: {}, terms: {}, text: {} });
    },
    counted: async (name) => guarded.table<number>("counters").get(name) ?? 0,
    async counter(name, above = 0) {
      const counters = guarded.table<number>("counters");
      const next = Math.max(counters.get(name) ?? 0, above) + 1;
      counters.set(name, next);
      return next;
    },
    // Writers run one after another here, so every key is locked already.
    lock: async () => true,
    async enqueue(kind, payload, options = {}) {
      const rows: WorkTable = guarded.table("work");
      const now = shared.clock.now();
      enqueueRow(rows, { id: shared.ids.short("w"), seq: shared.nextSeq(), kind, payload, now, options });
      if (enqueued || (options.runAt ?? now) > now) return;
      enqueued = true;
      after.push(() => {
        for (const wake of [...shared.wakers]) notify(wake, shared.log);
      });
    },
    // No other node shares this memory.
    publish: () => undefined,
    afterCommit: (listener) => void after.push(listener),
  };
  return { tx, end };
}

/** Looks the table up at every call, so that the guard against late use holds for collections kept in variables. */
const lazyDraft = <V>(drafts: Drafts, name: string): Draft<V> => ({
  get: (key) => drafts.table<V>(name).get(key),
  values: () => drafts.table<V>(name).values(),
  set: (key, value) => drafts.table<V>(name).set(key, value),
  delete: (key) => drafts.table<V>(name).delete(key),
});
