import * as z from "zod";
import { object } from "../../../../wire/schemas/objects.ts";

/** Kind of the queued work that sends the waiting notices of one receiver. */
export const DELIVER_KIND = "notices.deliver";

/** One attempt at a notice. */
export const Delivery = object(() => ({
  attempt: z.number(),
  /** Id of the node that made the attempt. */
  node: z.string(),
  /** Unix seconds. */
  date: z.number(),
  /** "uncertain" = it was sent, but no answer came. */
  outcome: z.enum(["sent", "uncertain", "failed"]),
  description: z.string(),
  /** HTTP status; absent = not sent over HTTP, or no answer came. */
  status: z.number().optional(),
  /** Id of the message at the service. */
  ref: z.string().optional(),
}));
export type Delivery = z.infer<typeof Delivery>;

/** The HTTP status in the description of a result. */
export function statusIn(description: string): number | undefined {
  const status = /\bHTTP (\d{3})\b/.exec(description)?.[1];
  return status === undefined ? undefined : Number(status);
}
