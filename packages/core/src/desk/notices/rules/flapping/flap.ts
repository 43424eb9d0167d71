import * as z from "zod";

/** Firings that come and go, told as one. Times are Unix seconds. */
export const Flap = z.object({
  since: z.number(),
  /** Seconds without a change after which it is over. */
  quiet: z.number(),
  /** Firings that count. */
  count: z.number(),
  /** Id of the newest invocation, for which the member stands. */
  latest: z.string(),
  /** It is over. */
  settled: z.number().optional(),
  /** The acknowledgement of one of the firings: by whom, of which one, and what was said; it counts for later ones. */
  acknowledged: z.object({ of: z.string(), id: z.string(), title: z.string() }).optional(),
});
export type Flap = z.infer<typeof Flap>;

interface Hold {
  readonly kind: string;
  readonly id: string;
  readonly title: string;
}

/** The flapping with the acknowledgement that holds now, from what holds its newest firing; one that was taken back is none. */
export function withAcknowledged({ acknowledged, ...flap }: Flap, hold: Hold | undefined): Flap {
  if (hold?.kind === "acknowledgement")
    return { ...flap, acknowledged: { of: flap.latest, id: hold.id, title: hold.title } };
  return acknowledged && acknowledged.of !== flap.latest ? { ...flap, acknowledged } : flap;
}
