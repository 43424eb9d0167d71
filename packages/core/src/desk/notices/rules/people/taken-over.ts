import * as z from "zod";
import { object } from "../../../../wire/schemas/objects.ts";

/** An acknowledgement of firings: who made it, the comment, and the ids. */
export const TakenOver = object(() => ({
  /** Ids. */
  invocations: z.array(z.string()),
  /** A name like "tom", or "Mia (link:ops)" for a link. */
  who: z.string(),
  comment: z.string(),
}));
export type TakenOver = z.infer<typeof TakenOver>;
