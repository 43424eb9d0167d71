import { ADMINISTRATORS } from "./administrators.ts";

/** Receivers that are told one after the other in place of the first. */
const MOST = 2;

/**
 * The receiver that is told in place of the last receiver of a chain; undefined = the chain ends. `own` is the fallback that
 * the last receiver names, `usual` the configured one.
 */
export function nextFallback(
  chain: readonly string[],
  own: string | null | undefined,
  usual: string,
): string | undefined {
  const next = own || usual || ADMINISTRATORS.id;
  return chain.length > MOST || chain.includes(next) ? undefined : next;
}

/** "Room", "Room and Ops". */
export const unreachedText = (titles: readonly string[]): string => `${titles.join(" and ")} could not be reached.`;
