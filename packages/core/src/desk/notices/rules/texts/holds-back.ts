import * as z from "zod";

/** Firings that are held back because a firing of the notice is live. */
export const HoldsBack = z.object({
  count: z.number(),
  /** The first 20: "Too hot on web3". */
  titles: z.array(z.string()),
});
export type HoldsBack = z.infer<typeof HoldsBack>;

/** Maximum titles that a notice names; the rest is only counted. */
export const MAX_TITLES = 20;

/** One sentence about held-back firings; undefined = there are none. */
export function holdsBackText({ count, titles }: HoldsBack): string | undefined {
  if (count === 0) return undefined;
  const rest = count - titles.length;
  const more = rest > 0 ? ` and ${rest} more` : "";
  return `Holds back ${count} other${count === 1 ? "" : "s"}: ${titles.join(", ")}${more}.`;
}
