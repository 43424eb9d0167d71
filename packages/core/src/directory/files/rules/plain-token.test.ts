import { expect, test } from "vitest";
import { fetchable, opensPlain, plainToken } from "./plain-token.ts";

const NOW = 1_800_000_000.5;
const KEY = "files/ann/report.csv";
const token = plainToken(KEY, "secret", NOW);

test.each([
  ["the file it was made for", KEY, { keys: ["secret"], now: NOW }, true],
  ["one of several keys", KEY, { keys: ["newer", "secret"], now: NOW }, true],
  ["its last second", KEY, { keys: ["secret"], now: NOW + 86_399 }, true],
  ["a day later", KEY, { keys: ["secret"], now: NOW + 86_400 }, false],
  ["another file", "files/ann/other.csv", { keys: ["secret"], now: NOW }, false],
  ["another key", KEY, { keys: ["other"], now: NOW }, false],
])("a token for %s: %#", (_what, key, given, opens) => {
  expect(opensPlain(token, key, given)).toBe(opens);
});

test.each(["", "x", "-", `zzzzzzzzzz-${token.split("-")[1]}`, `${token}x`, token.slice(1), token.replace("-", "--")])(
  "%j gives no access",
  (wrong) => {
    expect(opensPlain(wrong, KEY, { keys: ["secret"], now: NOW })).toBe(false);
  },
);

test("only guessable paths get a token", () => {
  const random = { path: `files/ann/${"a".repeat(43)}/report.csv` };
  const [plain, ...others] = fetchable([{ path: KEY, size: 1 }, random, null, { path: 5 }], "secret", NOW);
  expect(plain).toEqual({ path: `${KEY}?token=${token}`, size: 1 });
  expect(others).toEqual([random, null, { path: 5 }]);
});
