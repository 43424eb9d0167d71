import * as fc from "fast-check";

const SURROGATES = 0xd800;
/** Two thousand code points are halves of others, and no characters. */
const HALVES = 0x800;

/**
 * Any character, for `fc.string({ unit: codePoint })`. The unit `binary` of fast-check gives the same, but first makes
 * a table of all characters: a second of processor time in each process, and a million entries that every garbage
 * collection marks.
 */
export const codePoint: fc.Arbitrary<string> = fc
  .nat(0x10_ffff - HALVES)
  .map((number) => String.fromCodePoint(number < SURROGATES ? number : number + HALVES), numberOf);

function numberOf(text: unknown): number {
  const point = typeof text === "string" ? text.codePointAt(0) : undefined;
  if (point === undefined || text !== String.fromCodePoint(point)) throw new TypeError("This is not one character");
  return point < SURROGATES ? point : point - HALVES;
}
