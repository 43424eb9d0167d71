import { setImmediate as inNextTurn } from "node:timers";

/** Maximum readers woken per turn of the event loop. Each writes to its connection, which takes tenths of a millisecond. */
const AT_ONCE = 8;

/** Wakes a reader at once or, if others are waiting, in one of the next turns of the event loop. */
export type Wake = (reader: () => void) => void;

/**
 * A message to all subscribers wakes all their readers. Doing so in one turn would block the event loop for half a second with a
 * thousand streams.
 */
export function createWakes(): Wake {
  const waiting: (() => void)[] = [];
  let woken = 0;
  const wake = (reader: () => void): void => {
    if (woken === 0) inNextTurn(next);
    woken += 1;
    reader();
  };
  const next = (): void => {
    woken = 0;
    for (const reader of waiting.splice(0, AT_ONCE)) wake(reader);
  };
  return (reader) => {
    if (woken < AT_ONCE && waiting.length === 0) wake(reader);
    else waiting.push(reader);
  };
}
