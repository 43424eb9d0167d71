import { ADMINISTRATORS } from "./administrators.ts";

/** Maximum receivers that are notified one after another instead of the first. */
const MOST = 2;

/**
 * The receiver that is notified instead of the last receiver of a chain; undefined = the chain ends. `own` is the fallback of the
 * last receiver, `usual` the configured one.
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
