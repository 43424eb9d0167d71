import * as z from "zod";
import { object } from "../../../../wire/schemas/objects.ts";
import { many, type Times } from "../texts/words.ts";

/** A notice after which its receiver has had as many as it may within an hour. */
export const LastInHour = object(() => ({
  /** Unix seconds at which there is room again. */
  until: z.number(),
  /** Critical ones still come. */
  but_critical: z.boolean().optional(),
  /** Live firings that the receiver was not told of. */
  waiting: z.number(),
}));
export type LastInHour = z.infer<typeof LastInHour>;

/** "This is the last notice until 14:41, but for critical ones; 4 alerts wait." */
export const lastText = ({ until, but_critical, waiting }: LastInHour, { at }: Times): string =>
  `This is the last notice until ${at(until)}${but_critical ? ", but for critical ones" : ""}; ${waiting === 1 ? "1 alert waits" : `${many(waiting, "alert")} wait`}.`;
