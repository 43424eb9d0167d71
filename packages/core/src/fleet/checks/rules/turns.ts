import { sha256Hex } from "../../../lib/secrecy/hash.ts";
import type { Check, CheckState } from "../model.ts";

/** Unix seconds of the check's next turn. */
export const turnOf = ({ created }: Pick<Check, "created">, state: CheckState | undefined): number =>
  state?.next ?? created;

type Turning = Pick<Check, "created" | "every">;

/**
 * True when a check is due. A turn further away than `every` means that the clock was set back; then the check is due,
 * too. `now` is Unix seconds.
 */
export const isDue = ({ every }: Turning, state: CheckState | undefined, now: number): boolean =>
  !state || state.next <= now || state.next > now + every;

/** The node that is first in line to run a check. All nodes agree on it, and checks spread evenly over nodes. */
export function firstOf(check: string, nodes: readonly string[]): string | undefined {
  const ranked = nodes.map((node) => [sha256Hex(`${check} ${node}`), node] as const);
  return ranked.sort(([one], [two]) => (one < two ? -1 : 1))[0]?.[1];
}

/** Seconds that the first node in line has; after that any node may run the check. */
const GRACE_SEC = 20;

interface Look {
  /** Unix seconds. */
  readonly now: number;
  readonly self: string;
  /** Live nodes. */
  readonly nodes: readonly string[];
}

/** True when this node should run a check that is due. */
export const isOwn = (
  check: Turning & Pick<Check, "id">,
  state: CheckState | undefined,
  { now, self, nodes }: Look,
): boolean => turnOf(check, state) <= now - GRACE_SEC || firstOf(check.id, nodes) === self;
