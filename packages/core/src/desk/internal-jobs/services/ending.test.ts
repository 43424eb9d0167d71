import { expect, test } from "vitest";
import { DomainError } from "../../../kernel/errors/errors.ts";
import { faultOf } from "./ending.ts";

test.each([
  [new DomainError("admin", "conflict", "Busy."), "Busy."],
  [new Error("password=1234 at /etc/passwd"), "Internal error (i1)"],
  ["text", "Internal error (i1)"],
])("a fault of %s is described", (error, expected) => {
  expect(faultOf(error, "i1")).toBe(expected);
});
