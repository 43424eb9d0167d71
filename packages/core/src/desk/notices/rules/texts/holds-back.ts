import * as z from "zod";

/** Firings that are not told because a firing that a notice names is live. */
export const HoldsBack = z.object({
  count: z.number(),
  /** The first 20: "Too hot on web3". */
  titles: z.array(z.string()),
});
export type HoldsBack = z.infer<typeof HoldsBack>;

/** Titles that a notice names; the rest is a number. */
export const MAX_TITLES = 20;

/** One sentence; undefined = nothing is held back. */
export function holdsBackText({ count, titles }: HoldsBack): string | undefined {
  if (count === 0) return undefined;
  const rest = count - titles.length;
  const more = rest > 0 ? ` and ${rest} more` : "";
  return `Holds back ${count} other${count === 1 ? "" : "s"}: ${titles.join(", ")}${more}.`;
}
