/**
 * Makes a function that each turn of a loop calls with the time, and that answers since when the loop has run without a
 * break. After a pause of the machine, a change of the leader or a step of the clock nothing is known of the time before:
 * minutes may have come and been missed. Unix seconds.
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

/** For loops that run once a minute. Seconds. */
const GAP_SEC = 150;
