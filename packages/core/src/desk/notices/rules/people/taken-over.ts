import * as z from "zod";
import { object } from "../../../../wire/schemas/objects.ts";

/** An acknowledgement of firings: person, comment, ids. */
export const TakenOver = object(() => ({
  /** Ids. */
  invocations: z.array(z.string()),
  /** "tom", "Mia (link:ops)". */
  who: z.string(),
  comment: z.string(),
}));
export type TakenOver = z.infer<typeof TakenOver>;
