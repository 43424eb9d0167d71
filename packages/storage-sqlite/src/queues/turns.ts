import { setImmediate as inNextTurn } from "node:timers";

/** Yields to the event loop. `node:timers/promises` would do it too, but its promise costs several times as much. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => inNextTurn(resolve));
