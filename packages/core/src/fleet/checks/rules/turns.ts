import { sha256Hex } from "../../../lib/secrecy/hash.ts";
import type { Check, CheckState } from "../model.ts";

/** Unix seconds of the turn that a check has next. */
export const turnOf = ({ created }: Pick<Check, "created">, state: CheckState | undefined): number =>
  state?.next ?? created;

type Turning = Pick<Check, "created" | "every">;

/** A clock that went back does not make a check wait longer than it should. `now` is Unix seconds. */
export const isDue = ({ every }: Turning, state: CheckState | undefined, now: number): boolean =>
  !state || state.next <= now || state.next > now + every;

/** The node that asks first: the same for all nodes, and of many checks each node has about as many. */
export function firstOf(check: string, nodes: readonly string[]): string | undefined {
  const ranked = nodes.map((node) => [sha256Hex(`${check} ${node}`), node] as const);
  return ranked.sort(([one], [two]) => (one < two ? -1 : 1))[0]?.[1];
}

/** Seconds for the node that asks first; then any other does. */
const GRACE_SEC = 20;

interface Look {
  /** Unix seconds. */
  readonly now: number;
  readonly self: string;
  /** Nodes that live. */
  readonly nodes: readonly string[];
}

/** True when this node is to ask a check that is due. */
export const isOwn = (
  check: Turning & Pick<Check, "id">,
  state: CheckState | undefined,
  { now, self, nodes }: Look,
): boolean => turnOf(check, state) <= now - GRACE_SEC || firstOf(check.id, nodes) === self;
