import type { Definitions } from "../../../../kernel/definitions/definitions.ts";
import { DuplicateError } from "../../../../kernel/errors/errors.ts";
import type { Transact } from "../../../../kernel/transactions/unit-of-work.ts";
import type { Collection } from "../../../../ports/storage/collection.ts";
import type { ReadTx, WriteTx } from "../../../../ports/storage/storage.ts";
import { apiKeyRecords } from "../../../api-keys/records.ts";
import { keyUseCollection } from "../../collection.ts";
import type { KeyUse } from "../../model.ts";

/**
 * Records when API keys were last used (docs/contract/credentials.md#resolution): in memory at once, in the store within a
 * minute.
 */
export interface KeyUses {
  /** `now` is Unix seconds. */
  note(id: string, now: number): void;
  /** Unix seconds by key id; keys that were never used are missing. */
  lastUsed(tx: ReadTx, ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Stores the uses noted since the last save. */
  save(): Promise<void>;
  /** Forgets a deleted key. */
  forget(id: string): Promise<void>;
}

const BATCH = 200;

export function createKeyUses({ definitions, transact }: { definitions: Definitions; transact: Transact }): KeyUses {
  /** Bounded by the number of keys: only existing ones are noted. */
  const noted = new Map<string, number>();
  const isKey = (id: string): boolean => definitions.get(apiKeyRecords, id) !== undefined;

  async function saveBatch(batch: readonly (readonly [string, number])[]): Promise<void> {
    await transact(async ({ tx }) => {
      for (const [id, time] of batch) if (isKey(id)) await put(tx, id, time);
    });
    // A key that was used again meanwhile stays for the next save.
    for (const [id, time] of batch) if (noted.get(id) === time) noted.delete(id);
  }

  return {
    note: (id, now) => void noted.set(id, Math.floor(now)),
    async lastUsed(tx, ids) {
      const stored = await tx.collection(keyUseCollection).getMany(ids);
      const times = ids.map((id, index): [string, number] => [
        id,
        Math.max(stored[index]?.last_used ?? 0, noted.get(id) ?? 0),
      ]);
      return new Map(times.filter(([, time]) => time > 0));
    },
    async save() {
      const entries = [...noted];
      for (let from = 0; from < entries.length; from += BATCH) await saveBatch(entries.slice(from, from + BATCH));
    },
    async forget(id) {
      noted.delete(id);
      await transact(({ tx }) => tx.collection(keyUseCollection).delete(id));
    },
  };
}

async function put(tx: WriteTx, id: string, time: number): Promise<void> {
  const uses = tx.collection(keyUseCollection);
  const stored = (await uses.get(id)) ?? (await inserted(uses, { id, last_used: time }));
  if (stored.last_used < time) await uses.update(id, (use) => ({ ...use, last_used: time }));
}

/** Inserts a record and returns the stored one: the given one, unless another node has inserted it first. */
async function inserted(uses: Collection<KeyUse>, use: KeyUse): Promise<KeyUse> {
  try {
    await uses.insert(use);
    return use;
  } catch (error) {
    const stored = error instanceof DuplicateError ? await uses.get(use.id) : undefined;
    if (!stored) throw error;
    return stored;
  }
}
