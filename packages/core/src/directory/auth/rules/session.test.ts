import { describe, expect, test } from "vitest";
import { csrfTokenOf, isExpired, isSessionId, isTouchDue, newSession, sessionKey, touched } from "./session.ts";

const id = "0123456789abcdef".repeat(4);
const given = { id, user: "joe", username: "Joe", ip: "10.0.0.1", userAgent: "curl", now: 1000, period: 500 };

test.each(["", "a", id.slice(1), `${id}0`, id.toUpperCase(), `${id.slice(1)}g`, `${id}\n`])(
  "%j is no session id",
  (text) => expect(isSessionId(text)).toBe(false),
);

test("64 lower-case hex digits are a session id", () => expect(isSessionId(id)).toBe(true));

describe("a new session", () => {
  test("is stored under a hash of its id, and contains neither that id nor the CSRF token", () => {
    const session = newSession(given);
    expect(session).toEqual({
      id: sessionKey(id),
      user: "joe",
      username: "Joe",
      ip: "10.0.0.1",
      useragent: "curl",
      created: 1000,
      modified: 1000,
      expires: 1500,
    });
    expect(JSON.stringify(session)).not.toContain(id);
    expect(JSON.stringify(session)).not.toContain(csrfTokenOf(id));
  });

  test("cuts a long user agent", () => {
    expect(newSession({ ...given, userAgent: "x".repeat(5000) }).useragent).toHaveLength(1024);
  });
});

test("has a CSRF token of 64 hex digits that reveals nothing about the record's key", () => {
  expect(csrfTokenOf(id)).toMatch(/^[0-9a-f]{64}$/);
  expect(csrfTokenOf(id)).not.toBe(sessionKey(id));
  expect(csrfTokenOf(sessionKey(id))).not.toBe(csrfTokenOf(id));
});

test("ends at its second and is extended at most once an hour", () => {
  const session = newSession(given);
  expect([isExpired(session, 1499.9), isExpired(session, 1500)]).toEqual([false, true]);
  expect([isTouchDue(session, 4599), isTouchDue(session, 4600)]).toEqual([false, true]);
  expect(touched(session, 1400, 500)).toMatchObject({ created: 1000, modified: 1400, expires: 1900 });
});
