const MINUTE = 60;

/**
 * Minute after which an event with catch-up is due that has no position of its own yet: its last change, or `since`, up to which
 * a pass over all events has come. Unix seconds.
 */
export const firstPosition = (modified: number, since: number): number =>
  Math.max(since, Math.floor(modified / MINUTE) * MINUTE);
