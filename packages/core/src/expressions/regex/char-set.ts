/** A set of UTF-16 code units as inclusive ranges, in any order. */
export type CharSet = readonly (readonly [low: number, high: number])[];

const lastUnit = 0xffff;

export const digits: CharSet = [[48, 57]];
export const wordCharacters: CharSet = [...digits, [65, 90], [95, 95], [97, 122]];
export const lineBreaks: CharSet = [
  [10, 10],
  [13, 13],
  [0x2028, 0x2029],
];
export const blanks: CharSet = [
  [9, 13],
  [32, 32],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];

export const singleCharacter = (unit: number): CharSet => [[unit, unit]];

/** All characters that are not in the set. */
export const complementOf = (set: CharSet): CharSet => {
  const rest: [number, number][] = [];
  let next = 0;
  for (const [low, high] of [...set].sort((a, b) => a[0] - b[0])) {
    if (low > next) rest.push([next, low - 1]);
    next = Math.max(next, high + 1);
  }
  if (next <= lastUnit) rest.push([next, lastUnit]);
  return rest;
};

/** True when some character belongs to both sets. */
export const overlap = (a: CharSet, b: CharSet): boolean =>
  a.some(([low, high]) => b.some(([otherLow, otherHigh]) => low <= otherHigh && otherLow <= high));
