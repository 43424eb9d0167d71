import type { Cradle } from "../../kernel/container.ts";
import { putRecord } from "../../kernel/transactions/update-if-there.ts";
import type { ReadTx, WriteTx } from "../../ports/storage/storage.ts";
import { stateCollection } from "./collection.ts";

/**
 * Small values of the whole installation, by dotted key: `watches.servers.<id>`, `alert_snooze`
 * (docs/contract/configuration.md#global-state).
 */
export interface GlobalState {
  /** Value from memory; other nodes' changes arrive by message. */
  get(key: string): unknown;
  /** All values below a prefix, keyed by the rest of the key: `below("watches.servers")`. */
  below(prefix: string): ReadonlyMap<string, unknown>;
  read(tx: ReadTx, key: string): Promise<unknown>;
  /** `undefined` deletes the key. */
  set(tx: WriteTx, key: string, value: unknown): Promise<void>;
}

export function createGlobalState({ definitions }: Pick<Cradle, "definitions">): GlobalState {
  // Read for every server and minute, so the keys are grouped only once per change.
  const byPrefix = new Map<string, ReadonlyMap<string, unknown>>();
  let seen = -1;

  function select(prefix: string): ReadonlyMap<string, unknown> {
    const start = `${prefix}.`;
    const found = new Map<string, unknown>();
    for (const { id, value } of definitions.all(stateCollection))
      if (id.startsWith(start)) found.set(id.slice(start.length), value);
    return found;
  }

  return {
    get: (key) => definitions.get(stateCollection, key)?.value,
    below(prefix) {
      const revision = definitions.revision(stateCollection);
      if (revision !== seen) byPrefix.clear();
      seen = revision;
      const values = byPrefix.get(prefix) ?? select(prefix);
      byPrefix.set(prefix, values);
      return values;
    },
    read: async (tx, key) => (await tx.collection(stateCollection).get(key))?.value,
    async set(tx, key, value) {
      const entries = tx.collection(stateCollection);
      if (value === undefined) await entries.delete(key);
      else await putRecord(entries, { id: key, value });
    },
  };
}
