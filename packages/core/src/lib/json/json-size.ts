const ENDLESS = Number.MAX_SAFE_INTEGER;

/** Most members of objects and elements of lists at all depths, and most different names of members. */
interface Most {
  readonly members: number;
  readonly elements: number;
  readonly names: number;
}

/**
 * Bounds of a definition or a ticket. V8 interns each new name, which makes names the most expensive part of a document: parsing
 * 1 MB with 63,000 of them took 50 ms, with a few repeated names 6. Walking through 88,000 members of wide objects took 20 ms,
 * and checking, comparing and serialising 90,000 words of one list 26.
 */
const OF_RECORD: Most = { members: 16_000, elements: 50_000, names: 5000 };
/** Data may be a table keyed by name, so its bound is higher: 18,000 names block the event loop for 20 ms. */
const OF_DATA: Most = { members: ENDLESS, elements: ENDLESS, names: 20_000 };

const ANY = { members: ENDLESS, elements: ENDLESS };

/** Whether a definition or a ticket has more than the given bytes as JSON text, or too many members or elements. */
export const isLargeRecord = (record: unknown, bytes: number): boolean => isTooLarge(record, bytes, OF_RECORD);

/** Whether data of a bucket or a job has more than the given bytes as JSON text, or too many names. */
export const isLargeData = (data: unknown, bytes: number): boolean => isTooLarge(data, bytes, OF_DATA);

function isTooLarge(value: unknown, bytes: number, most: Most): boolean {
  if (!fits(value, { ...most, characters: bytes, seen: new Set() })) return true;
  const text = JSON.stringify(value);
  // A UTF-16 unit takes at most three bytes in UTF-8, so most texts need no exact count.
  return text.length * 3 > bytes && Buffer.byteLength(text) > bytes;
}

/**
 * Whether the JSON text of plain data certainly exceeds a number of characters, judged by its names and texts alone. It stops at
 * the limit, so that far too large data is refused cheaply; after a negative result the exact size must be determined.
 */
export const isSurelyLonger = (value: unknown, limit: number): boolean => !fits(value, { ...ANY, characters: limit });

/**
 * Minimum length in characters of the JSON text of plain data: its names and texts, and a few around each. Counting stops soon
 * after `most`.
 */
export function leastJsonLength(value: unknown, most: number = ENDLESS): number {
  const room: Room = { ...ANY, characters: most };
  fits(value, room);
  return most - room.characters;
}

/** What is left of each bound. */
interface Room {
  characters: number;
  members: number;
  elements: number;
  /** Names seen so far, and the most that there may be, where names are counted. */
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
    // Each element has a comma or a bracket next to it.
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
