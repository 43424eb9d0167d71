import { expect, test } from "vitest";
import { bytesIn, joinPieces, type TextPieces, writePieces } from "./text-pieces.ts";

const view = (text: string): Uint8Array => new TextEncoder().encode(`<<${text}>>`).subarray(2, -2);

test.each<[string, TextPieces, string]>([
  ["none", [], ""],
  ["a string", ["a€"], "a€"],
  ["bytes in the middle of others", [view("ü😀")], "ü😀"],
  ["both, with an empty piece", ["a", view("ü"), "", "€", view("z")], "aü€z"],
])("%s", (_name, pieces, text) => {
  expect(joinPieces(pieces)).toBe(text);
  const memory = Buffer.alloc(bytesIn(pieces));
  writePieces(memory, pieces);
  expect(memory.toString()).toBe(text);
});
