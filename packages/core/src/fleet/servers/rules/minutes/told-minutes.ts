/** Characters of the minutes in one answer to another node: escaped, as text in text, they take twice as many at most. */
const MAX_TOLD = 500_000;

/** True when a minute of so many characters, or bytes, is short enough to be sent to other nodes. */
export const canBeTold = (length: number): boolean => length <= MAX_TOLD;

/**
 * The minutes of one answer by server, as many from the front as have room; null for a server without one that can be
 * told. At least the first server is in it, so that asking for the rest comes to an end.
 */
export function togetherTold(
  minutes: readonly (readonly [server: string, json: string | undefined])[],
): Record<string, string | null> {
  const told: [string, string | null][] = [];
  let room = MAX_TOLD;
  for (const [server, json] of minutes) {
    const text = json !== undefined && canBeTold(json.length) ? json : null;
    room -= text?.length ?? 0;
    if (room < 0) break;
    told.push([server, text]);
  }
  return Object.fromEntries(told);
}
