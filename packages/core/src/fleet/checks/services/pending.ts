import type { Cradle } from "../../../kernel/container.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import { stateCollection } from "../collection.ts";
import type { Check } from "../model.ts";
import { ENGINE, type Heard, heardOf, isNetworkUnknown } from "../rules/network.ts";
import { standingOf } from "../rules/standing.ts";
import { statesOf } from "./network.ts";

/** True while the state of a check since a moment (Unix seconds) is unknown. */
export type IsPending = (tx: ReadTx, check: string, since: number) => Promise<boolean>;

export function createPending({ clock }: Pick<Cradle, "clock">, judged: () => readonly Check[]): IsPending {
  let heard: { readonly at: number; readonly network: Heard } | undefined;
  // Cached per second: all firings on checks ask in the same second. A stale answer delays them by a second at most.
  const network = async (tx: ReadTx): Promise<Heard> => {
    const at = Math.floor(clock.now());
    if (heard?.at !== at) heard = { at, network: heardOf(judged(), await statesOf(tx, judged())) };
    return heard.network;
  };
  return async (tx, id, since) => {
    if (id === ENGINE) return isNetworkUnknown(await network(tx), since);
    const check = judged().find((each) => each.id === id);
    if (!check) return false;
    const state = await tx.collection(stateCollection).get(id);
    if (!state?.latest || state.latest.date < since) return true;
    const { fresh } = standingOf(check, state, clock.now());
    return fresh.some(({ failures, down }) => failures > 0 && !down);
  };
}
