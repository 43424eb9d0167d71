import type { CollectionDefinition, StoredRecord } from "../../ports/storage/collection.ts";
import type { Cradle } from "../container.ts";
import type { Unit } from "../transactions/unit-of-work.ts";

/** Rolls back the counter of a store that already has its defaults. */
class SeededError extends Error {}

/** Marks a seed as done, called from another one that makes it unnecessary. */
export async function passSeed({ tx }: Pick<Unit, "tx">, name: string): Promise<void> {
  await tx.counter(`seed:${name}`);
}

/**
 * Inserts the default records whose ids are not taken, and returns them: before the first start an import or a call may have
 * brought records.
 */
export async function insertMissing<T extends StoredRecord>(
  { tx }: Pick<Unit, "tx">,
  definition: CollectionDefinition<T>,
  records: readonly T[],
): Promise<readonly T[]> {
  const known = await tx.collection(definition).getMany(records.map(({ id }) => id));
  const missing = records.filter((_record, index) => !known[index]);
  await tx.collection(definition).insertMany(missing);
  return missing;
}

/**
 * Writes the default records of a domain once in the lifetime of a store: a default that people deleted stays deleted, and of
 * several nodes that start at the same time only one writes.
 */
export async function seedOnce(
  { config, transact }: Pick<Cradle, "config" | "transact">,
  name: string,
  write: (unit: Unit) => Promise<void>,
): Promise<void> {
  if (config.presets) await writeOnce({ transact }, name, write);
}

/** Like `seedOnce`, for records that are not defaults: they are written even when `presets` is off. */
export async function writeOnce(
  { transact }: Pick<Cradle, "transact">,
  name: string,
  write: (unit: Unit) => Promise<void>,
): Promise<void> {
  const seeding = transact(async (unit) => {
    // Rolls back, because each commit would flush the disk: nine needless flushes at every start.
    if ((await unit.tx.counter(`seed:${name}`)) > 1) throw new SeededError();
    await write(unit);
  });
  await seeding.catch((error: unknown) => {
    if (!(error instanceof SeededError)) throw error;
  });
}
