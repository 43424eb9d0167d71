import { expect, test } from "vitest";
import { displayName, outputName } from "./file-names.ts";

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
  // Names are limited in bytes, as in file systems; a character is kept whole or left out.
  [`${"漢".repeat(120)}.txt`, "漢".repeat(85)],
  [`${"x".repeat(252)}𠀀.txt`, "x".repeat(252)],
])("%j is shown as %j", (given, shown) => {
  expect(displayName(given)).toBe(shown);
});

test.each([
  ["report.csv", "report.csv"],
  ["Bericht März (2).pdf", "Bericht_M_rz_2_.pdf"],
  ["../../etc/passwd", ".._.._etc_passwd"],
  ["x".repeat(300), "x".repeat(200)],
])("an output file %j is stored as %j", (given, stored) => {
  expect(outputName(given)).toBe(stored);
});
