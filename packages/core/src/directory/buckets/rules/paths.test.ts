import { describe, expect, test } from "vitest";
import { bucketOfPath, keptName, pathOf } from "./paths.ts";

const TOKEN = "A-_z".padEnd(43, "0");

test.each([
  ["Report 2026.CSV", "Report 2026.CSV", "report_2026.csv"],
  ["folder/inner/a.txt", "a.txt", "a.txt"],
  ["README", "README", "readme.bin"],
  ["a\\..\\b.txt", "a_.._b.txt", "a_.._b.txt"],
  ["grün ☃☃ — 1.txt", "gr_n _ _ 1.txt", "gr_n_1.txt"],
  [`it's (1) [2] {3} "x" !&^%$#@*?~.txt`, `it's (1) [2] {3} "x" !&^%$#@*?~.txt`, "it_s_1_2_3_x_.txt"],
  ["<script>.html", "_script_.html", "_script_.html"],
  ["a\r\nb\u0000c.txt", "a_b_c.txt", "a_b_c.txt"],
  ["a;b=c:d.txt", "a_b_c_d.txt", "a_b_c_d.txt"],
  ["x/..", "_", "...bin"],
  ["", "_", ".bin"],
  [" . ", "_", "_._"],
  [".env", ".env", ".env"],
])("a file called %j is kept as %j under %j", (sent, kept, url) => {
  expect(keptName(sent)).toBe(kept);
  const path = pathOf("b1", TOKEN, sent);
  expect(path).toBe(`files/bucket/b1/${TOKEN}/${url}`);
  expect(bucketOfPath(path)).toBe("b1");
});

test("long names are cut, and keep their ending in the address", () => {
  expect(keptName(`${"x".repeat(400)}.txt`)).toHaveLength(255);
  expect(pathOf("b1", TOKEN, `${"x".repeat(400)}.txt`)).toMatch(/\/x{196}\.txt$/);
});

describe("a path outside of any bucket", () => {
  test.each([
    ["has another folder", `files/jobs/b1/${TOKEN}/a.txt`],
    ["has no folder", `bucket/b1/${TOKEN}/a.txt`],
    ["is that of an account called bucket", `files/bucket/${TOKEN}/a.txt`],
    ["is a plain one of such an account", "files/bucket/a.txt"],
    ["has a short token", "files/bucket/b1/abc/a.txt"],
    ["goes on", `files/bucket/b1/${TOKEN}/a/b.txt`],
    ["goes up", `files/bucket/b1/${TOKEN}/..`],
    ["names an impossible bucket", `files/bucket/B-1/${TOKEN}/a.txt`],
    ["ends with a line break", `files/bucket/b1/${TOKEN}/a.txt\n`],
    ["belongs to another bucket", "users/admin"],
  ])("%s", (_what, path) => {
    expect(bucketOfPath(path)).toBeUndefined();
  });
});
