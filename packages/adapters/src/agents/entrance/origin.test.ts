import { describe, expect, test } from "vitest";
import { isForeign, sessionOf } from "./origin.ts";

describe("an upgrade", () => {
  test.each<[string | undefined, string | undefined, boolean]>([
    [undefined, "ops.example", false],
    ["https://ops.example", "ops.example", false],
    ["http://ops.example", "ops.example", false],
    ["https://ops.example", "OPS.example:443", false],
    ["http://ops.example", "ops.example:80", false],
    ["http://[::1]:5522", "[::1]:5522", false],
    ["http://ops.example:5522", "ops.example:5522", false],
    ["http://ops.example:5523", "ops.example:5522", true],
    ["https://ops.example", "ops.example:80", true],
    ["https://evil.example", "ops.example", true],
    ["https://ops.example.evil.example", "ops.example", true],
    ["https://ops.example@evil.example", "ops.example", true],
    ["null", "ops.example", true],
    ["", "ops.example", true],
    ["file://", "", true],
    ["https://ops.example", undefined, true],
  ])("from the origin %j at the host %j is foreign: %j", (origin, host, expected) => {
    expect(isForeign({ ...(origin === undefined ? {} : { origin }), ...(host === undefined ? {} : { host }) })).toBe(
      expected,
    );
  });
});

describe("the session of a cookie", () => {
  const id = "0123456789abcdef".repeat(4);
  test.each<[string | undefined, string | undefined]>([
    [`session_id=${id}`, id],
    [`a=1; session_id="${id}"; b=2`, id],
    [`other_session_id=${id}`, undefined],
    [`session_id=${id}0`, undefined],
    ["session_id=short", undefined],
    ["", undefined],
    [undefined, undefined],
  ])("%j", (cookie, expected) => {
    expect(sessionOf(cookie === undefined ? {} : { cookie })).toBe(expected);
  });
});
