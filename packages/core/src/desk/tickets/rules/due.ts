import { type DateContext, readDate } from "../../../search/parse/dates.ts";
import type { Due } from "../../../wire/fields/due.ts";

/** Unix seconds; 0 = never. A time relative to now is cut to midnight of its day in the zone. */
export function dueTime(due: Due, context: DateContext): number {
  switch (due.kind) {
    case "never":
      return 0;
    case "at":
      return due.time;
    case "in":
      return startOfDay(String(Math.floor(context.now + due.seconds)), context);
    case "day":
      return startOfDay(due.day, context);
  }
}

const startOfDay = (text: string, context: DateContext): number => readDate(text, "day", context)?.at.from ?? 0;
