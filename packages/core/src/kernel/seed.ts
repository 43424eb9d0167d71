import type { Cradle } from "./container.ts";
import type { Unit } from "./unit-of-work.ts";

/**
 * Writes the default records of a domain once in the life of a store: a default that somebody deleted stays deleted,
 * and of several nodes that start at once one writes.
 */
export async function seedOnce(
  { config, transact }: Pick<Cradle, "config" | "transact">,
  name: string,
  write: (unit: Unit) => Promise<void>,
): Promise<void> {
  if (!config.presets) return;
  await transact(async (unit) => {
    if ((await unit.tx.counter(`seed:${name}`)) === 1) await write(unit);
  });
}
