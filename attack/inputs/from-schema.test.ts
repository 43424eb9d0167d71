import { expect, test } from "vitest";
import { type Described, hostileInput } from "./from-schema.ts";

const operation: Described = {
  name: "update_tag",
  path: "/api/app/update_tag/v1",
  methods: ["get", "post"],
  schema: {
    properties: { id: { type: "string" }, title: { type: "string" }, sort_order: { type: "integer" } },
    required: ["id"],
  },
};
const ids = { tag: ["t1"] };
const inputs = (seed: string) => Array.from({ length: 250 }, (_, index) => hostileInput(operation, seed, index, ids));

test("the same seed makes the same inputs", () => {
  expect(inputs("1")).toEqual(inputs("1"));
});

test("another seed makes other inputs", () => {
  expect(inputs("2")).not.toEqual(inputs("1"));
});

test("valid inputs are among them, with an existing id", () => {
  const [first] = inputs("1");
  expect(`${first?.query}${first?.body}`).toContain("t1");
});

test("queries, bodies, broken bodies and prototypes are among them", () => {
  const all = inputs("1");
  expect(all.filter(({ method }) => method === "GET").length).toBeGreaterThan(50);
  expect(all.filter(({ body }) => body?.includes("__proto__")).length).toBeGreaterThan(5);
  expect(all.filter(({ body }) => body === "{")).not.toEqual([]);
  expect(all.some(({ body }) => (body?.length ?? 0) > 10_000)).toBe(true);
});

test("every query can be sent", () => {
  for (const { query } of inputs("3")) expect(() => new URL(`http://localhost/${query}`)).not.toThrow();
});
