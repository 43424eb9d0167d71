import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { byteReader, byteWriter, unzigzag, zigzag } from "./bytes.ts";
import { CHUNK, decodeChunk, encodeChunk } from "./chunks.ts";
import { columnWriter, readColumn } from "./columns.ts";
import type { PackedPoint } from "./rows.ts";
import type { Shape } from "./shapes.ts";

const shapeOf = (id: number, width: number, deltas = 0): Shape => {
  const members = (prefix: string, count: number) => {
    const keys = Array.from({ length: count }, (_unused, place) => `${prefix}${place}`);
    return { keys, blank: Object.fromEntries(keys.map((key) => [key, 0])) };
  };
  const row = Array.from({ length: width + deltas }, () => 0.5);
  return { id, totals: members("m", width), ...(deltas > 0 ? { deltas: members("m", deltas) } : {}), row };
};
const shapes = [shapeOf(1, 3), shapeOf(2 ** 47, 2, 2), shapeOf(7, 0)];
const find = (id: number): Shape => {
  const shape = shapes.find((one) => one.id === id);
  if (!shape) throw new Error(`No shape ${id}`);
  return shape;
};

const anyNumber = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.integer({ min: -1e6, max: 1e6 }).map((value) => value / 100),
  fc.constantFrom(-0, 0, 0.1 + 0.2, 5e-324, 1.7976931348623157e308, 2 ** 50, -(2 ** 53), 1e21, Number.NaN),
);

function copyColumn(values: readonly number[]): { back: number[]; size: number } {
  const out = byteWriter(16);
  const column = columnWriter(values.length);
  column.values.set(values);
  column.write(out);
  const bytes = out.view();
  return { back: [...readColumn(byteReader(bytes), values.length)], size: bytes.length };
}

describe("a column", () => {
  test("is restored to the bit, for all numbers", () => {
    fc.assert(
      fc.property(fc.array(anyNumber, { maxLength: 80 }), (values) => {
        expect(copyColumn(values).back).toEqual(values);
      }),
      { numRuns: 1000 },
    );
  });
  test.each([
    ["numbers that stay the same", Array(60).fill(123.45), 4],
    ["a counter that rises evenly", Array.from({ length: 60 }, (_unused, place) => 1e9 + place * 1000), 70],
    ["small steps with two decimals", Array.from({ length: 60 }, (_unused, place) => 50 + (place % 7) / 100), 64],
  ])("%s take few bytes", (_fact, values, most) => {
    expect(copyColumn(values).size).toBeLessThanOrEqual(most);
  });
  test("a column of an unknown mode is refused", () => {
    expect(() => readColumn(byteReader(Buffer.of(99)), 1)).toThrow(RangeError);
    expect(() => readColumn(byteReader(Buffer.of(10, 200)), 1)).toThrow("The bytes end too early");
  });
});

test("signs are folded into whole numbers and back", () => {
  fc.assert(
    fc.property(fc.integer({ min: -(2 ** 52) + 1, max: 2 ** 52 - 1 }), (value) => {
      const out = byteWriter(1);
      out.varint(zigzag(value));
      expect(unzigzag(byteReader(out.view()).varint())).toBe(value);
    }),
  );
});

describe("a chunk", () => {
  const slot = fc.integer({ min: 0, max: 600_000 });
  const places = fc.uniqueArray(fc.nat({ max: CHUNK - 1 }), { minLength: 1, maxLength: CHUNK });
  const member = fc.record({
    shape: fc.constantFrom(...shapes),
    numbers: fc.array(anyNumber, { minLength: 4, maxLength: 4 }),
    count: fc.nat({ max: 1000 }),
    extras: fc.oneof(
      fc.constant(""),
      fc.string().map((text) => JSON.stringify({ alerts: { [text]: true } })),
    ),
    late: fc.oneof(fc.constant(0), fc.double({ noNaN: true })),
  });

  test("restores its points to the bit", async () => {
    await fc.assert(
      fc.asyncProperty(slot, places, fc.infiniteStream(member), async (number, buckets, members) => {
        const points = [...buckets]
          .sort((a, b) => a - b)
          .map((place): PackedPoint => {
            const { shape, numbers, count, extras, late } = members.next().value;
            const bucket = number * CHUNK + place;
            const values = numbers.slice(0, shape.row.length);
            return { shape, bucket, date: late === 0 ? bucket * 60 : late, count, extras, values };
          });
        expect(await decodeChunk(encodeChunk(points), number, find)).toEqual(points);
      }),
      { numRuns: 300 },
    );
  });
  test("a chunk of an unknown version is refused", async () => {
    await expect(decodeChunk(Buffer.of(9, 1, 2), 1, find)).rejects.toThrow("a chunk of version 9");
  });
});
