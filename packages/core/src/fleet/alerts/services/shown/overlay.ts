import type { ReadTx } from "../../../../ports/storage/storage.ts";
import { stateCollection } from "../../collection.ts";
import { type AlertState, type Invocation, stateKey } from "../../model.ts";
import { placeOf } from "../../rules/definition/subjects.ts";

/**
 * Gives live invocations the message and the time of their last minute: the stored message and time may be minutes old.
 */
export async function overlayLive<T extends Invocation | undefined>(tx: ReadTx, found: readonly T[]): Promise<T[]> {
  const live = found.filter((invocation) => invocation?.active);
  if (live.length === 0) return [...found];
  const keys = found.map((invocation) => (invocation?.active ? stateKey(placeOf(invocation), invocation.alert) : ""));
  const states = await tx.collection(stateCollection).getMany(keys);
  return found.map((invocation, index) => overlay(invocation, states[index]));
}

/** One invocation with the message and time of its last minute. */
export const presentInvocation = async (tx: ReadTx, stored: Invocation): Promise<Invocation> =>
  (await overlayLive(tx, [stored]))[0] ?? stored;

function overlay<T extends Invocation | undefined>(invocation: T, state: AlertState | undefined): T {
  if (!invocation?.active || state?.invocation !== invocation.id) return invocation;
  return { ...invocation, message: state.message, modified: state.modified };
}
