import * as z from "zod";
import { object } from "../../../../wire/schemas/objects.ts";

/** The state of a problem as one receiver knows it, all its firings together. */
export const Side = object(() => ({
  /** Number of the last notice. */
  seq: z.number(),
  /** Unix seconds of the last notice. */
  last: z.number().optional(),
  /** A step of the route that names it has begun, and it was not told yet. */
  escalate: z.boolean().optional(),
  /** Unix seconds at which a changed route named it, after others were told. */
  late: z.number().optional(),
  /** Unix seconds of the last notice that says who acknowledged. */
  acknowledged: z.number().optional(),
  /** Of a rota: the persons who were told, the last one last. */
  duty: z.array(z.string()).optional(),
}));
export type Side = z.infer<typeof Side>;
