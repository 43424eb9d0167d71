import { expect, test } from "vitest";
import * as z from "zod";
import { looseObject, object } from "./objects.ts";

test.each([
  ["object", object, z.object, { a: 1 }],
  ["looseObject", looseObject, z.looseObject, { a: 1, more: 2 }],
] as const)("%s accepts further members like the schema of the same name", (_name, make, namesake, expected) => {
  const [ours, theirs] = [make(() => ({ a: z.int() })), namesake({ a: z.int() })];
  for (const value of [{ a: 1, more: 2 }, { a: 1 }, { a: "1" }, {}, null])
    expect(ours.safeParse(value).data).toEqual(theirs.safeParse(value).data);
  expect(ours.safeParse({ a: 1, more: 2 }).data).toEqual(expected);
  expect(z.toJSONSchema(ours)).toEqual(z.toJSONSchema(theirs));
});

test("members are created once, at the first access, also those of derived schemas", () => {
  let count = 0;
  const record = looseObject(() => {
    count++;
    return { a: z.string() };
  });
  const derived = z.array(record.describe("A record.").optional().nullable());
  const wider = object(() => ({ ...record.shape, b: record.optional() }));
  const changed = record.transform(({ a }) => a);
  expect(count).toBe(0);
  expect(derived.parse([{ a: "x", c: 1 }, null])).toEqual([{ a: "x", c: 1 }, null]);
  expect(wider.parse({ a: "x", b: { a: "y" }, c: 1 })).toEqual({ a: "x", b: { a: "y" } });
  expect(changed.parse({ a: "x" })).toBe("x");
  expect(record.shape.a).toBe(wider.shape.a);
  expect(count).toBe(1);
});

test("a schema that has parsed before parses without Zod's bookkeeping for cycles", () => {
  const inner = object(() => ({ n: z.int() }));
  const pair = looseObject(() => ({ a: inner, b: inner }));
  const shared = { n: 1 };
  for (let count = 0; count < 3; count++) pair.parse({ a: { n: 1 }, b: { n: 2 } });
  const { a, b } = pair.parse({ a: shared, b: shared });
  // Zod's bookkeeping would return the same object for both.
  expect(a).toEqual(b);
  expect(a).not.toBe(b);
});

test("a schema is filled in at the first access, like one of Zod's own", () => {
  const record = object(() => ({ a: z.int() }));
  expect(Object.keys(record)).toEqual([]);
  expect(record.type).toBe("object");
  expect(record.def).toBe(record._zod.def);
  expect(record).toBeInstanceOf(z.ZodObject);
  expect(Object.keys(record)).toEqual(Object.keys(z.object({})));
});
