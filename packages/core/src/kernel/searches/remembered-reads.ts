import type { CollectionDefinition, ReadCollection, StoredRecord } from "../../ports/storage/collection.ts";
import type { ReadTx } from "../../ports/storage/storage.ts";

/** Answers that are kept, of each kind; beyond it all of them are read again. */
const MAX_KEPT = 2000;

/**
 * The same snapshot, which reads each record and answers each search only once: for a round that decides about many records,
 * most of which depend on the same others.
 */
export function rememberedReads(tx: ReadTx): ReadTx {
  const collections = new Map<string, ReadCollection<StoredRecord>>();
  const collection = <T extends StoredRecord>(definition: CollectionDefinition<T>): ReadCollection<T> => {
    const known = collections.get(definition.name) ?? remembered(tx.collection(definition));
    collections.set(definition.name, known);
    return known as ReadCollection<T>;
  };
  return { collection, timeline: tx.timeline, counted: (name) => tx.counted(name) };
}

function remembered<T extends StoredRecord>(stored: ReadCollection<T>): ReadCollection<T> {
  const records = new Map<string, T | undefined>();
  const answers = new Map<string, ReturnType<ReadCollection<T>["find"]>>();
  const getMany: ReadCollection<T>["getMany"] = async (ids) => {
    if (records.size > MAX_KEPT) records.clear();
    const missing = [...new Set(ids)].filter((id) => !records.has(id));
    const known = ids.map((id) => records.get(id));
    const found = missing.length > 0 ? await stored.getMany(missing) : [];
    const read = new Map(missing.map((id, at) => [id, found[at]]));
    for (const [id, record] of read) records.set(id, record);
    return ids.map((id, at) => (read.has(id) ? read.get(id) : known[at]));
  };
  return {
    getMany,
    get: async (id) => (await getMany([id]))[0],
    list: () => stored.list(),
    find(where, page) {
      if (answers.size > MAX_KEPT) answers.clear();
      const key = JSON.stringify([where, page]);
      const answer = answers.get(key) ?? stored.find(where, page);
      answers.set(key, answer);
      return answer;
    },
  };
}
