import { expect, test } from "vitest";
import { deriveKey, deriveWidth } from "./derive.ts";

test("the key of the test vector is derived", async () => {
  const salt = Buffer.from("000102030405060708090a0b0c0d0e0f", "hex");
  expect((await deriveKey("correct horse battery staple", salt)).toString("hex")).toBe(
    "d7590aca2c9801cf06eeba772a69dc31ce3862591d96522ac4e6bba6ad1f31a5",
  );
});

test.each([
  [1, 1],
  [2, 1],
  [4, 3],
  [64, 4],
])("with %i cores %i derivations run at once", (cores, width) => {
  expect(deriveWidth(cores)).toBe(width);
});
