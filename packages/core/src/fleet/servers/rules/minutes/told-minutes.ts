/** Most characters of minutes in one answer to another node; escaping, as text within text, can at most double them. */
const MAX_TOLD = 500_000;

/** True when a minute with this length, in characters or bytes, is short enough to send to other nodes. */
export const canBeTold = (length: number): boolean => length <= MAX_TOLD;

/**
 * The minutes of one answer by server: as many from the front as fit; null for a server without a minute short enough
 * to send. The first server is always included, so that repeated questions come to an end.
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
