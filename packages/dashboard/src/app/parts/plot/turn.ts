/** Of one turn in which charts are drawn: between two, keys and pointers are heard. */
const TURN_MS = 30;
let begun = 0;
let last: Promise<void> = Promise.resolve();

/**
 * The next turn, before the next picture where the browser can tell the two apart: a picture after each few charts takes
 * longer than they do.
 */
const nextTurn = (): Promise<void> =>
  "scheduler" in globalThis
    ? scheduler.postTask(() => undefined, { priority: "user-blocking" })
    : new Promise((resolve) => setTimeout(resolve));

async function rest(): Promise<void> {
  if (performance.now() - begun < TURN_MS) return;
  await nextTurn();
  begun = performance.now();
}

/** Resolves when the next chart may be drawn: a page of fifteen would stand still while all of them are. */
export function turn(): Promise<void> {
  last = last.then(rest);
  return last;
}
