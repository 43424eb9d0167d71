import { createDays, dayOfWall } from "../lib/time/days.ts";
import type { CollectionDefinition } from "../ports/storage/collection.ts";
import type { Cradle } from "./container.ts";

/** Number of uses of a record on one day, stored under the id of that record. */
export interface DailyCount {
  id: string;
  /** Local date, such as "2026-11-21". */
  readonly day: string;
  readonly count: number;
}

/** Counts a use in the local day before it happens; false when the day's limit is reached. A limit of 0 means no limit. */
export type CountUse = (id: string, limit: number) => Promise<boolean>;

const DAY_SEC = 86_400;

/**
 * Counters that reset at local midnight, stored in their own collection. With clock skew the later day wins: if another node, or
 * this one before its clock was corrected, has already started the next day, counting continues on that day. Otherwise each use
 * on the slower clock around midnight would restart the previous day.
 */
export function createDailyCount(
  { transact, clock, config }: Pick<Cradle, "transact" | "clock" | "config">,
  collection: CollectionDefinition<DailyCount>,
): CountUse {
  const dayOf = createDays(config);
  return (id, limit) =>
    transact(async ({ tx }) => {
      // Without the lock, concurrent uses would lose the race for the row more often than a transaction is retried.
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

/** The day to count on, and its uses so far. */
function countNow(today: string, stored: DailyCount | undefined): Omit<DailyCount, "id"> {
  const tomorrow = dayOfWall(Date.parse(today) / 1000 + DAY_SEC);
  return stored && [today, tomorrow].includes(stored.day) ? stored : { day: today, count: 0 };
}
