import * as z from "zod";
import { object } from "../../../../wire/schemas/objects.ts";

/** Firings that come and go, reported as one. Times are Unix seconds. */
export const Flap = object(() => ({
  since: z.number(),
  /** Seconds without a change after which the flapping is over. */
  quiet: z.number(),
  /** Number of firings so far. */
  count: z.number(),
  /** Id of the newest invocation, which the member stands for. */
  latest: z.string(),
  /** Time at which it ended; absent = it continues. */
  settled: z.number().optional(),
  /** The acknowledgement of one of the firings (`of`), with person and comment; it also applies to later firings. */
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
 * Updates the acknowledgement in force, from the hold of the newest firing. An acknowledgement that was revoked or has expired is
 * dropped.
 */
export function withAcknowledged({ acknowledged, ...flap }: Flap, hold: Hold | undefined, now: number): Flap {
  if (hold?.kind === "acknowledgement") {
    const { id, title, until } = hold;
    return { ...flap, acknowledged: { of: flap.latest, id, title, ...(until && { until }) } };
  }
  const holds = acknowledged && acknowledged.of !== flap.latest && now < (acknowledged.until ?? now + 1);
  return holds ? { ...flap, acknowledged } : flap;
}
