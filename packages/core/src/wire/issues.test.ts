import { expect, test } from "vitest";
import * as z from "zod";
import { describeIssue, exactly } from "./issues.ts";

const schema = z.looseObject({
  text: z.string().regex(/\S/).optional(),
  count: z.number().max(5).optional(),
  flag: z.boolean().optional(),
  list: z.array(z.string()).optional(),
  map: z.record(z.string(), z.number()).optional(),
  object: z.looseObject({ a: z.string() }).optional(),
  choice: z.enum(["a", "b"]).optional(),
  either: z.union([z.string(), z.number()]).optional(),
  exact: z.string({ error: exactly("The very words.") }).optional(),
});

const describeFault = (input: Record<string, unknown>, among: z.ZodType = schema): string => {
  const issue = among.safeParse(input).error?.issues[0];
  return issue ? describeIssue(issue, input) : "no fault";
};

test.each<[Record<string, unknown>, string]>([
  [{ text: 5 }, "Parameter is not type string: text"],
  [{ text: " " }, "Malformed parameter: text"],
  [{ text: null }, "Missing parameter: text"],
  [{ count: "5" }, "Parameter is not type number: count"],
  [{ count: 6 }, "Malformed parameter: count"],
  [{ flag: "yes" }, "Parameter is not type boolean: flag"],
  [{ list: "a" }, "Parameter is not an array: list"],
  [{ list: ["a", 5] }, "Malformed parameter: list"],
  [{ map: [] }, "Parameter is not type object: map"],
  [{ map: { a: "x" } }, "Malformed parameter: map"],
  [{ object: "x" }, "Parameter is not type object: object"],
  [{ object: {} }, "Malformed parameter: object"],
  [{ choice: "c" }, "Malformed parameter: choice"],
  [{ either: true }, "Malformed parameter: either"],
  [{ exact: 5 }, "The very words."],
  [{}, "no fault"],
])("%j: %s", (input, expected) => {
  expect(describeFault(input)).toBe(expected);
});

test("an absent required member is missing", () => {
  expect(describeFault({}, z.object({ id: z.string() }))).toBe("Missing parameter: id");
});

test("a fault of the whole input names no member", () => {
  const among = z.looseObject({}).refine(() => false);
  expect(describeFault({}, among)).toBe("Malformed request body.");
});
