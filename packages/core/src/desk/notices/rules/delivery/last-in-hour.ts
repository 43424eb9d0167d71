import * as z from "zod";
import { object } from "../../../../wire/schemas/objects.ts";
import { many, type Times } from "../texts/words.ts";

/** Bound that a notice has reached: it is the last one that its receiver may get within an hour. */
export const LastInHour = object(() => ({
  /** Unix seconds from which more notices are allowed. */
  until: z.number(),
  /** Critical notices are still sent. */
  but_critical: z.boolean().optional(),
  /** Number of live firings that the receiver was not notified of. */
  waiting: z.number(),
}));
export type LastInHour = z.infer<typeof LastInHour>;

/** "This is the last notice until 14:41, but for critical ones; 4 alerts wait." */
export const lastText = ({ until, but_critical, waiting }: LastInHour, { at }: Times): string =>
  `This is the last notice until ${at(until)}${but_critical ? ", but for critical ones" : ""}; ${waiting === 1 ? "1 alert waits" : `${many(waiting, "alert")} wait`}.`;
