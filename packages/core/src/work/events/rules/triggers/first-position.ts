const MINUTE = 60;

/**
 * Start position of an event with catch-up that has none yet: its last change, or `since`, the minute that passes over all events
 * have reached. Its runs after this minute are due. Unix seconds.
 */
export const firstPosition = (modified: number, since: number): number =>
  Math.max(since, Math.floor(modified / MINUTE) * MINUTE);
