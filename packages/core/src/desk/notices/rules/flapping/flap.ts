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
});
export type Flap = z.infer<typeof Flap>;
