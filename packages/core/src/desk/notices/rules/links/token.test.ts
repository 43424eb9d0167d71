import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { linkToken, readLinkToken } from "./token.ts";

const claims = { problem: "pg1", receiver: "rc1", user: "mia.b", expires: 1_800_000_000, date: 1_799_000_000 };
const token = linkToken(claims, "key one");
const flipped = (at: number): string => token.slice(0, at) + (token[at] === "A" ? "B" : "A") + token.slice(at + 1);

describe("a token", () => {
  test.each<[string, string, readonly string[], boolean]>([
    ["is accepted with its key", token, ["key one"], true],
    ["is accepted with a former key", token, ["key two", "key one"], true],
    ["is refused with another key", token, ["key two"], false],
    ["is refused without keys", token, [], false],
    ["is refused when its beginning was changed", flipped(2), ["key one"], false],
    ["is refused when its signature was changed", flipped(token.length - 4), ["key one"], false],
    ["is refused when it was truncated", token.slice(0, -1), ["key one"], false],
    ["is refused when something follows it", `${token}A`, ["key one"], false],
    ["is not empty", "", ["key one"], false],
    ["is not a path", "../../etc/passwd/and/some/more/of/it", ["key one"], false],
    ["has a bound", "A".repeat(5000), ["key one"], false],
  ])("%s", (_what, sent, keys, isOpen) => {
    expect(readLinkToken(sent, keys)).toEqual(isOpen ? claims : undefined);
  });

  test("holds no one's name when it was sent to many", () => {
    expect(readLinkToken(linkToken({ ...claims, user: "" }, "k"), ["k"])).toEqual({ ...claims, user: "" });
  });

  test("is refused when it is made of anything else", () => {
    void fc.assert(fc.property(fc.string(), (text) => readLinkToken(text, ["key one"]) === undefined));
  });
});
