import * as fc from "fast-check";

const SURROGATES = 0xd800;
/** Number of surrogates: code points that are halves of other characters, and not characters themselves. */
const HALVES = 0x800;

/**
 * Any character, for `fc.string({ unit: codePoint })`. fast-check's unit `binary` produces the same, but first builds a table of
 * all characters: a second of processor time in each process, and a million entries that every garbage collection marks.
 */
export const codePoint: fc.Arbitrary<string> = fc
  .nat(0x10_ffff - HALVES)
  .map((number) => String.fromCodePoint(number < SURROGATES ? number : number + HALVES), numberOf);

function numberOf(text: unknown): number {
  const point = typeof text === "string" ? text.codePointAt(0) : undefined;
  if (point === undefined || text !== String.fromCodePoint(point)) throw new TypeError("This is not one character");
  return point < SURROGATES ? point : point - HALVES;
}
