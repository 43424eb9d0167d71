/**
 * Returns a function that a loop calls on each turn with the time, and that returns since when the loop has run without
 * a break. After a pause of the machine, a change of leader or a step of the clock nothing is known about the time
 * before: minutes may have been missed. Unix seconds.
 */
export function createUnbroken(begun = Number.NEGATIVE_INFINITY): (now: number) => number {
  let last = begun;
  let since = begun;
  return (now) => {
    if (now - last > GAP_SEC || now < last) since = now;
    last = now;
    return since;
  };
}

/** Seconds between turns that count as a break, for loops that run once a minute. */
const GAP_SEC = 150;
