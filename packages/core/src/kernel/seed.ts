import type { Cradle } from "./container.ts";
import type { Unit } from "./unit-of-work.ts";

/** Takes back the count of a store that has its defaults. */
class SeededError extends Error {}

/**
 * Writes the default records of a domain once in the life of a store: a default that people deleted stays deleted, and
 * of several nodes that start at once one writes.
 */
export async function seedOnce(
  { config, transact }: Pick<Cradle, "config" | "transact">,
  name: string,
  write: (unit: Unit) => Promise<void>,
): Promise<void> {
  if (!config.presets) return;
  const seeding = transact(async (unit) => {
    // Rolled back, because a commit would flush the disk: nine flushes of every start for nothing.
    if ((await unit.tx.counter(`seed:${name}`)) > 1) throw new SeededError();
    await write(unit);
  });
  await seeding.catch((error: unknown) => {
    if (!(error instanceof SeededError)) throw error;
  });
}
