import { expect, test } from "vitest";
import { InputError } from "./errors.ts";

test("a description repeats no more than 4,096 characters of a caller's input", () => {
  const { description, message } = new InputError(`Server not found: ${"x".repeat(1_000_000)}`);
  expect(description).toHaveLength(4096);
  expect(message).toBe(description);
});
