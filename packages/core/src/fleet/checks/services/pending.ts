import type { ReadTx } from "../../../ports/storage.ts";
import { stateCollection } from "../collection.ts";
import type { Check } from "../model.ts";
import { ENGINE, isNetworkUnknown } from "../rules/network.ts";
import { statesOf } from "./network.ts";

/** Whether nobody knows yet how a check is since a moment (Unix seconds). */
export type IsPending = (tx: ReadTx, check: string, since: number) => Promise<boolean>;

export function createPending(judged: () => readonly Check[]): IsPending {
  return async (tx, id, since) => {
    if (id === ENGINE) return isNetworkUnknown(judged(), await statesOf(tx, judged()), since);
    if (!judged().some((check) => check.id === id)) return false;
    const state = await tx.collection(stateCollection).get(id);
    return !state?.latest || state.latest.date < since || (state.failures > 0 && !state.down);
  };
}
