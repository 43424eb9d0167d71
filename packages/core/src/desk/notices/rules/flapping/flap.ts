import * as z from "zod";
import { object } from "../../../../wire/schemas/objects.ts";

/** Firings that come and go, told as one. Times are Unix seconds. */
export const Flap = object(() => ({
  since: z.number(),
  /** Seconds without a change after which it is over. */
  quiet: z.number(),
  /** Firings that count. */
  count: z.number(),
  /** Id of the newest invocation, for which the member stands. */
  latest: z.string(),
  /** Time of the end; absent = it goes on. */
  settled: z.number().optional(),
  /** The acknowledgement of one of the firings (`of`): person and comment; it counts for later firings. */
  acknowledged: z
    .object({ of: z.string(), id: z.string(), title: z.string(), until: z.number().optional() })
    .optional(),
}));
export type Flap = z.infer<typeof Flap>;

interface Hold {
  readonly kind: string;
  readonly id: string;
  readonly title: string;
  readonly until?: number | undefined;
}

/**
 * The flapping with the acknowledgement that counts now, from the hold of its newest firing; not one that was taken
 * back or has ended.
 */
export function withAcknowledged({ acknowledged, ...flap }: Flap, hold: Hold | undefined, now: number): Flap {
  if (hold?.kind === "acknowledgement") {
    const { id, title, until } = hold;
    return { ...flap, acknowledged: { of: flap.latest, id, title, ...(until && { until }) } };
  }
  const holds = acknowledged && acknowledged.of !== flap.latest && now < (acknowledged.until ?? now + 1);
  return holds ? { ...flap, acknowledged } : flap;
}
