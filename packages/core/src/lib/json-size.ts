/**
 * Whether the JSON text of plain data has surely more than so many characters, by its names and texts alone. It stops
 * at the limit, so what is far too large is refused for the price of a look; of the rest the exact size must be asked
 * for.
 */
export function isSurelyLonger(value: unknown, limit: number): boolean {
  return roomAfter(value, limit) < 0;
}

/** Characters that the JSON text of plain data has at least: its names and texts, and a few around each. */
export const leastJsonLength = (value: unknown): number => ENDLESS - roomAfter(value, ENDLESS);
const ENDLESS = Number.MAX_SAFE_INTEGER;

function roomAfter(value: unknown, room: number): number {
  if (typeof value === "string") return room - value.length;
  if (typeof value !== "object" || value === null) return room - 1;
  return Array.isArray(value) ? roomAfterList(value, room) : roomAfterMembers(value as Members, room);
}

function roomAfterList(list: readonly unknown[], room: number): number {
  let left = room;
  // Each element stands beside a comma or a bracket.
  for (let at = 0; at < list.length && left >= 0; at++) left = roomAfter(list[at], left - 1);
  return left;
}

type Members = Readonly<Record<string, unknown>>;

function roomAfterMembers(members: Members, room: number): number {
  let left = room;
  for (const name of Object.keys(members)) {
    if (left < 0) return left;
    const member = members[name];
    // Two quotes and a colon.
    if (member !== undefined) left = roomAfter(member, left - name.length - 3);
  }
  return left;
}
