import { setImmediate as inNextTurn } from "node:timers";

/** Lets the loop do other work. Not through `node:timers/promises`, whose promise costs several times as much. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => inNextTurn(resolve));
