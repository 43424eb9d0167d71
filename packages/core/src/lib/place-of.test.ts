import { expect, test } from "vitest";
import { placeOf } from "./place-of.ts";

test.each([1, 2, 27, 300, 1_000_003])("a name always has the same place of %j", (count) => {
  const places = Array.from({ length: 1000 }, (_, number) => placeOf(`server${number}`, count));
  expect(places).toEqual(Array.from({ length: 1000 }, (_, number) => placeOf(`server${number}`, count)));
  expect(places.every((place) => Number.isInteger(place) && place >= 0 && place < count)).toBe(true);
  // Spread out as far as there are enough places.
  expect(new Set(places).size).toBeGreaterThan(Math.min(count, 1000) * 0.5);
});
