/** Of one turn in which charts are drawn: between two, keys and pointers are heard. */
const TURN_MS = 30;
let begun = 0;
let last: Promise<void> = Promise.resolve();

async function rest(): Promise<void> {
  if (performance.now() - begun < TURN_MS) return;
  await new Promise<void>((resolve) => setTimeout(resolve));
  begun = performance.now();
}

/** Resolves when the next chart may be drawn: a page of fifteen would stand still while all of them are. */
export function turn(): Promise<void> {
  last = last.then(rest);
  return last;
}
