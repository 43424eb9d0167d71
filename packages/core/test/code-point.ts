import * as fc from "fast-check";

const SURROGATES = 0xd800;
/** Two thousand code points are halves of others, and no characters. */
const HALVES = 0x800;

/**
 * Any character, for `fc.string({ unit: codePoint })`. What fast-check calls `binary` gives the same, and first makes a table of
 * all of them: a second of processor time in each process, and a million entries that every collection of garbage marks.
 */
export const codePoint: fc.Arbitrary<string> = fc
  .nat(0x10_ffff - HALVES)
  .map((number) => String.fromCodePoint(number < SURROGATES ? number : number + HALVES), numberOf);

function numberOf(text: unknown): number {
  const point = typeof text === "string" ? text.codePointAt(0) : undefined;
  if (point === undefined || text !== String.fromCodePoint(point)) throw new TypeError("This is not one character");
  return point < SURROGATES ? point : point - HALVES;
}
