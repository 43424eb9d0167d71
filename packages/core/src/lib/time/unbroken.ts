/**
 * Returns a function that a loop calls on each turn with the time, and that returns since when the loop has run without
 * a break. After a pause of the machine, a change of leader or a step of the clock nothing is known about the time
 * before: messages may have been missed. Unix seconds; `gapSec` = seconds between turns that count as a break.
 */
export function createUnbroken(begun = Number.NEGATIVE_INFINITY): (now: number, gapSec?: number) => number {
  let last = begun;
  let since = begun;
  return (now, gapSec = GAP_SEC) => {
    if (now - last > gapSec || now < last) since = now;
    last = now;
    return since;
  };
}

/** For loops that run once a minute. */
const GAP_SEC = 150;
