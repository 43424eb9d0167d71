const ENDLESS = Number.MAX_SAFE_INTEGER;

/** Members of objects and elements of lists at all depths, and how many different names the members may have. */
interface Most {
  readonly members: number;
  readonly elements: number;
  readonly names: number;
}

/**
 * Limits of a definition or a ticket. V8 keeps each new name, which makes names the dearest part of a document: to
 * parse 1 MB with 63,000 of them took 50 ms, with a few again and again 6. To walk through 88,000 members of wide
 * objects took 20 ms, and to check, compare and write 90,000 words of one list 26.
 */
const OF_RECORD: Most = { members: 16_000, elements: 50_000, names: 5000 };
/** Data may be a table by name, so it has room for more: 18,000 names hold the loop for 20 ms. */
const OF_DATA: Most = { members: ENDLESS, elements: ENDLESS, names: 20_000 };

const ANY = { members: ENDLESS, elements: ENDLESS };

/** Whether a definition or a ticket has more than so many bytes as JSON text, or too many members or elements. */
export const isLargeRecord = (record: unknown, bytes: number): boolean => isTooLarge(record, bytes, OF_RECORD);

/** Whether data of a bucket or a job has more than so many bytes as JSON text, or too many names. */
export const isLargeData = (data: unknown, bytes: number): boolean => isTooLarge(data, bytes, OF_DATA);

function isTooLarge(value: unknown, bytes: number, most: Most): boolean {
  if (!fits(value, { ...most, characters: bytes, seen: new Set() })) return true;
  const text = JSON.stringify(value);
  // No character takes more than three bytes per UTF-16 unit, so most texts need no exact count.
  return text.length * 3 > bytes && Buffer.byteLength(text) > bytes;
}

/**
 * Whether the JSON text of plain data has surely more than so many characters, by its names and texts alone. It stops
 * at the limit, so that data far too large is refused cheaply; where the answer is no, the exact size must be asked
 * for.
 */
export const isSurelyLonger = (value: unknown, limit: number): boolean => !fits(value, { ...ANY, characters: limit });

/**
 * Characters that the JSON text of plain data has at least: its names and texts, and a few around each. Counting stops soon
 * after `most`.
 */
export function leastJsonLength(value: unknown, most: number = ENDLESS): number {
  const room: Room = { ...ANY, characters: most };
  fits(value, room);
  return most - room.characters;
}

/** Room left in each of the limits. */
interface Room {
  characters: number;
  members: number;
  elements: number;
  /** Names that have come, and how many there may be, where they are counted. */
  readonly seen?: Set<string>;
  readonly names?: number;
}

function fits(value: unknown, room: Room): boolean {
  if (typeof value === "object" && value !== null)
    return Array.isArray(value) ? listFits(value, room) : membersFit(value as Members, room);
  room.characters -= typeof value === "string" ? value.length : 1;
  return room.characters >= 0;
}

function listFits(list: readonly unknown[], room: Room): boolean {
  room.elements -= list.length;
  if (room.elements < 0) return false;
  for (const element of list) {
    // Each element stands beside a comma or a bracket.
    room.characters -= 1;
    if (!fits(element, room)) return false;
  }
  return true;
}

type Members = Readonly<Record<string, unknown>>;

function membersFit(members: Members, room: Room): boolean {
  const { seen, names = ENDLESS } = room;
  const keys = Object.keys(members);
  room.members -= keys.length;
  if (room.members < 0) return false;
  for (const name of keys) {
    const member = members[name];
    if (member === undefined) continue;
    // Two quotes and a colon.
    room.characters -= name.length + 3;
    seen?.add(name);
    if (!fits(member, room)) return false;
  }
  return seen === undefined || seen.size <= names;
}
