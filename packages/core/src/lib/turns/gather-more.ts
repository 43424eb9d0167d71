import { setImmediate as inNextTurn } from "node:timers";

const TURNS = 3;

export const nextTurn = (): Promise<void> => new Promise((resolve) => inNextTurn(resolve));

/**
 * Waits for one turn of the event loop, and for up to two more while `waiting` grows: callers that were answered together do not
 * call again in the same turn.
 */
export async function gatherMore(waiting: { readonly length: number }): Promise<void> {
  for (let turn = 0, before = 0; turn < TURNS && waiting.length > before; turn++) {
    before = waiting.length;
    await nextTurn();
  }
}
