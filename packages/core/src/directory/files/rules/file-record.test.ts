import { expect, test } from "vitest";
import { displayName } from "./file-record.ts";

test.each([
  ["report (1).csv", "report (1).csv"],
  ["a/b:c|d.txt", "a_b_c_d.txt"],
  ["Caf\u00e9.txt", "Caf\u00e9.txt"],
  // Some systems name files in decomposed letters.
  ["Cafe\u0301.txt", "Caf\u00e9.txt"],
  ["हिन्दी.txt", "हिन्दी.txt"],
  ["漢字テスト.pdf", "漢字テスト.pdf"],
  ["ship 🚀.txt", "ship _.txt"],
  ["\u202Eexe.txt", "_exe.txt"],
  ["x".repeat(300), "x".repeat(255)],
  // An astral letter is kept whole or left out.
  [`${"x".repeat(254)}𠀀.txt`, "x".repeat(254)],
])("people see %j as %j", (given, shown) => {
  expect(displayName(given)).toBe(shown);
});
