import { setImmediate as inNextTurn } from "node:timers";

/** Readers that go on within one turn of the loop. Each writes to its connection: some tenths of a millisecond. */
const AT_ONCE = 8;

/** Lets a reader go on, at once or, behind others, in one of the next turns of the loop. */
export type Wake = (reader: () => void) => void;

/**
 * A message to all subscribers wakes all their readers. In one go, a thousand streams would hold up the loop for half a
 * second.
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
