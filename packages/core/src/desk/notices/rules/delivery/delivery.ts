import * as z from "zod";
import { object } from "../../../../wire/objects.ts";

/** One attempt at a notice. */
export const Delivery = object(() => ({
  attempt: z.number(),
  /** The node that made it. */
  node: z.string(),
  /** Unix seconds. */
  date: z.number(),
  /** "uncertain" = it was sent, and no answer came. */
  outcome: z.enum(["sent", "uncertain", "failed"]),
  description: z.string(),
}));
export type Delivery = z.infer<typeof Delivery>;
