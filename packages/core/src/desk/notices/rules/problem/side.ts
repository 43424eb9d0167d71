import * as z from "zod";
import { object } from "../../../../wire/schemas/objects.ts";

/** The state of a problem, with all its firings, for one receiver. */
export const Side = object(() => ({
  /** `seq` of the last notice. */
  seq: z.number(),
  /** Unix seconds of the last notice. */
  last: z.number().optional(),
  /** A step of the route that names the receiver has begun, but the receiver was not notified yet. */
  escalate: z.boolean().optional(),
  /** Unix seconds at which a changed route added the receiver, after others had been notified. */
  late: z.number().optional(),
  /** Unix seconds of the last notice about an acknowledgement. */
  acknowledged: z.number().optional(),
  /** For a rota: the people who were notified, the latest one last. */
  duty: z.array(z.string()).optional(),
}));
export type Side = z.infer<typeof Side>;
