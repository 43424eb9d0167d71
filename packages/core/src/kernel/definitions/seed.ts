import type { Cradle } from "../container.ts";
import type { Unit } from "../transactions/unit-of-work.ts";

/** Takes back the count of a store that has its defaults. */
class SeededError extends Error {}

/** Counts a seed as done within another one that makes it needless. */
export async function passSeed({ tx }: Pick<Unit, "tx">, name: string): Promise<void> {
  await tx.counter(`seed:${name}`);
}

/**
 * Writes the default records of a domain once in the life of a store: a default that people deleted stays deleted, and
 * of several nodes that start at once one writes.
 */
export async function seedOnce(
  { config, transact }: Pick<Cradle, "config" | "transact">,
  name: string,
  write: (unit: Unit) => Promise<void>,
): Promise<void> {
  if (config.presets) await writeOnce({ transact }, name, write);
}

/** Like `seedOnce`, for records that are no defaults: they are written with `presets` off, too. */
export async function writeOnce(
  { transact }: Pick<Cradle, "transact">,
  name: string,
  write: (unit: Unit) => Promise<void>,
): Promise<void> {
  const seeding = transact(async (unit) => {
    // Rolled back, because a commit would flush the disk: nine flushes of every start for nothing.
    if ((await unit.tx.counter(`seed:${name}`)) > 1) throw new SeededError();
    await write(unit);
  });
  await seeding.catch((error: unknown) => {
    if (!(error instanceof SeededError)) throw error;
  });
}
