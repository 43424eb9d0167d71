import type { Cradle } from "../../../kernel/container.ts";
import { webHookCountCollection } from "../collection.ts";
import type { WebHook } from "../model.ts";

/** Counts a firing of the local day before it is sent; false when the day is full (part 14 §2.3). */
export type CountFiring = (hook: WebHook) => Promise<boolean>;

export function createDailyCount({
  transact,
  clock,
  config,
}: Pick<Cradle, "transact" | "clock" | "config">): CountFiring {
  const format = new Intl.DateTimeFormat("en-CA", config.tz === undefined ? {} : { timeZone: config.tz });
  return ({ id, max_per_day: limit = 0 }) =>
    transact(async ({ tx }) => {
      const day = format.format(clock.now() * 1000);
      // Without the lock, firings at once would lose the race for the row more often than a transaction is repeated.
      await tx.lock(`web_hook_counts:${id}`);
      const counts = tx.collection(webHookCountCollection);
      const stored = await counts.get(id);
      const count = stored?.day === day ? stored.count : 0;
      if (limit > 0 && count >= limit) return false;
      if (stored) await counts.update(id, () => ({ id, day, count: count + 1 }));
      else await counts.insert({ id, day, count: 1 });
      return true;
    });
}
