import { createDays, dayOfWall } from "../lib/time/days.ts";
import type { CollectionDefinition } from "../ports/storage/collection.ts";
import type { Cradle } from "./container.ts";

/** Number of uses of a record on a day, under the id of that record. */
export interface DailyCount {
  id: string;
  /** "2026-11-21", local. */
  readonly day: string;
  readonly count: number;
}

/** Counts a use of the local day before it happens; false when the day is full. A limit of 0 is none. */
export type CountUse = (id: string, limit: number) => Promise<boolean>;

const DAY_SEC = 86_400;

/**
 * Counters that begin anew at local midnight, in a collection of their own. A day that another node or a clock before its correction has
 * begun goes on: around midnight, each use by the clock behind would begin the former day again.
 */
export function createDailyCount(
  { transact, clock, config }: Pick<Cradle, "transact" | "clock" | "config">,
  collection: CollectionDefinition<DailyCount>,
): CountUse {
  const dayOf = createDays(config);
  return (id, limit) =>
    transact(async ({ tx }) => {
      // Without the lock, uses at once would lose the race for the row more often than a transaction is repeated.
      await tx.lock(`${collection.name}:${id}`);
      const counts = tx.collection(collection);
      const stored = await counts.get(id);
      const { day, count } = countNow(dayOf(clock.now()), stored);
      if (limit > 0 && count >= limit) return false;
      if (stored) await counts.update(id, () => ({ id, day, count: count + 1 }));
      else await counts.insert({ id, day, count: 1 });
      return true;
    });
}

/** The day that counts and its uses so far. */
function countNow(today: string, stored: DailyCount | undefined): Omit<DailyCount, "id"> {
  const tomorrow = dayOfWall(Date.parse(today) / 1000 + DAY_SEC);
  return stored && [today, tomorrow].includes(stored.day) ? stored : { day: today, count: 0 };
}
