import { expect, test } from "vitest";
import { type ConfigInput, parseConfig } from "../../../engine/config.ts";
import { clearedCookie, sessionCookie } from "./cookie.ts";

const settings = (user: ConfigInput["User"] = {}) => parseConfig({ User: user }).User;
const id = "a".repeat(64);

test("the cookie has the contract's form", () => {
  expect(sessionCookie(id, settings(), "http://ops.example")).toBe(
    `session_id=${id}; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax`,
  );
});

test("the cookie of a caller by HTTPS is secure", () => {
  expect(sessionCookie(id, settings(), "https://ops.example")).toBe(
    `session_id=${id}; Max-Age=31536000; Path=/; Secure; HttpOnly; SameSite=Lax`,
  );
});

test("the secure attribute can be forced and forbidden", () => {
  const forced = settings({ cookie_settings: { secure: true } });
  const forbidden = settings({ cookie_settings: { secure: false } });
  expect(sessionCookie(id, forced, "http://ops.example")).toContain("; Secure;");
  expect(sessionCookie(id, forbidden, "https://ops.example")).not.toContain("Secure");
});

test("the cleared cookie has the contract's form", () => {
  expect(clearedCookie(settings(), "https://ops.example")).toBe(
    "session_id=; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Path=/; HttpOnly; SameSite=Lax",
  );
});

test("a mounted engine keeps its cookie to its mount point, unless a path is given", () => {
  const own = settings({ cookie_settings: { path: "/tools" } });
  expect(sessionCookie(id, settings(), "http://ops.example/ops")).toContain("; Path=/ops;");
  expect(clearedCookie(settings(), "http://ops.example/ops")).toContain("; Path=/ops;");
  expect(sessionCookie(id, own, "http://ops.example/ops")).toContain("; Path=/tools;");
});

test.each(["/a; Domain=evil.example", "/a\r\nSet-Cookie: b=c", "/a,b", "/ä\u{1f511}", "/a b"])(
  "a mount point of %j cannot break out of its attribute",
  (mount) => {
    const cookie = sessionCookie(id, settings(), `http://ops.example${mount}`) ?? "";
    expect(cookie).toMatch(/; Path=\/[\w\-.~/%]+; HttpOnly; SameSite=Lax$/);
    expect(cookie.split("; ")).toHaveLength(5);
  },
);

test("no cookie is set when cookies are disabled", () => {
  const off = settings({ cookie_settings: false });
  expect([sessionCookie(id, off, ""), clearedCookie(off, "")]).toEqual([undefined, undefined]);
});

test("the cookie lives as long as the session", () => {
  expect(sessionCookie(id, settings({ session_expire_days: 0.5 }), "")).toContain("Max-Age=43200;");
});
