import * as z from "zod";
import { Cause } from "../../wire/cause.ts";
import { looseObject } from "../../wire/schemas/objects.ts";

/** One row of the activity log (docs/contract/activity.md#rows). The changed object is stored under its type name. */
export const Activity = looseObject(() => ({
  id: z.string(),
  action: z.string(),
  /** Unix seconds. */
  epoch: z.int(),
  description: z.string().optional(),
  /** Acting user, API key id, or "system". */
  username: z.string(),
  admin: z.string().optional(),
  ip: z.string(),
  ips: z.array(z.string()),
  headers: z.record(z.string(), z.string()),
  useragent: z.string(),
  keywords: z.array(z.string()),
  /** Absent on rows of old installations, like the two members below. */
  cause: Cause.optional(),
  /** Reserved for a chain: hash of the previous row and of this one. The engine writes neither. */
  prev: z.string().optional(),
  hash: z.string().optional(),
}));
export type Activity = z.infer<typeof Activity>;

/** A row without the network data of its caller, as histories of records show it. */
export const HistoryRow = looseObject(
  () => Activity.omit({ ip: true, ips: true, headers: true, useragent: true }).shape,
);
