import { describe, expect, test } from "vitest";
import { clientAt, PASSWORD, sessionIdOf, startWithAccounts } from "../../../../test/directory/accounts.ts";
import { keyWith, refusalOf, START } from "../../../../test/engine.ts";

const invalid = { code: "session", description: "Session has expired or is invalid." };
const cleared = "session_id=; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Path=/; HttpOnly; SameSite=Lax";
const byCookie = (sessionId: string) => ({ sessionId, sessionFromCookie: true });

async function setUp() {
  const at = await startWithAccounts();
  await at.addUser("Joe");
  return { ...at, signIn: (username = "joe") => at.signIn(username) };
}

describe("user/logout", () => {
  test("ends the session for the next request, clears the cookie and needs no CSRF token", async () => {
    await using at = await setUp();
    const sessionId = await at.signIn();
    expect(await at.call("user/logout", {}, byCookie(sessionId))).toEqual({ body: {}, cookie: cleared });
    expect(await refusalOf(at.as({ sessionId }).getTags())).toEqual(invalid);
    expect(await at.sessions()).toEqual([]);
  });

  test("ends only that session, and clears the cookie also for a session that came by header", async () => {
    await using at = await setUp();
    const [one, two] = [await at.signIn(), await at.signIn()];
    expect((await at.call("user/logout", {}, { sessionId: one })).cookie).toBe(cleared);
    expect((await at.as({ sessionId: two }).getTags()).list.length).toBe(2);
  });

  test.each([{}, { sessionId: "zz" }, { sessionId: "ab".repeat(32) }])(
    "a logout with %j succeeds",
    async (credentials) => {
      await using at = await setUp();
      expect(await at.call("user/logout", {}, credentials)).toEqual({ body: {}, cookie: undefined });
    },
  );

  test("is in both logs", async () => {
    await using at = await setUp();
    await at.call("user/logout", {}, { sessionId: await at.signIn() });
    const row = { action: "user_logout", user: { username: "Joe" } };
    expect((await at.activity()).at(-1)).toMatchObject({ ...row, username: "Joe" });
    expect((await at.securityRows()).at(-1)).toMatchObject(row);
  });
});

describe("user/resume_session", () => {
  test("answers the user and the same CSRF token, renews the cookie and the session", async () => {
    await using at = await setUp();
    const { body, cookie } = await at.login("joe");
    await at.clock.advance(5000);
    const resumed = await at.call("user/resume_session", {}, byCookie(sessionIdOf(cookie)));
    expect(resumed).toEqual({ body, cookie });
    expect(await at.sessions()).toMatchObject([{ modified: START + 5000, expires: START + 5000 + 365 * 86_400 }]);
    expect((await at.activity()).filter(({ action }) => action.startsWith("user_login"))).toHaveLength(1);
  });

  test("answers nothing without a session id", async () => {
    await using at = await setUp();
    expect(await at.call("user/resume_session")).toEqual({ body: {}, cookie: undefined });
  });

  test.each(["zz", "ab".repeat(32)])("refuses the session id %j and clears the cookie", async (sessionId) => {
    await using at = await setUp();
    const refused = { body: invalid, cookie: cleared };
    expect(await at.call("user/resume_session", {}, byCookie(sessionId))).toEqual(refused);
    expect(await at.call("user/resume_session", {}, { sessionId })).toEqual(refused);
  });

  test("an expired session is refused", async () => {
    await using at = await setUp();
    const sessionId = await at.signIn();
    at.clock.step(365 * 86_400);
    expect((await at.call("user/resume_session", {}, { sessionId })).body).toEqual(invalid);
  });

  test.each<[object, string]>([
    [{ active: 0 }, "User account is disabled: joe"],
    [{ active: 0, force_password_reset: 1 }, "Account is locked out.  Please reset your password to unlock it."],
  ])("of an account with %j is refused like its login", async (members, description) => {
    await using at = await setUp();
    const sessionId = await at.signIn();
    await at.changeUser("joe", members);
    expect((await at.call("user/resume_session", {}, { sessionId })).body).toEqual({ code: "login", description });
  });

  test("refuses a session of a deleted account with a clear message", async () => {
    await using at = await setUp();
    const sessionId = await at.signIn();
    await at.removeUser("joe");
    expect((await at.call("user/resume_session", {}, { sessionId })).body).toEqual({
      code: "login",
      description: "User not found: joe",
    });
  });
});

describe("logout_all", () => {
  test("ends all sessions of the account except the caller's", async () => {
    await using at = await setUp();
    await at.addUser("ann");
    const [mine, other, anns] = [await at.signIn(), await at.signIn(), await at.signIn("ann")];
    await at.as({ sessionId: mine }).logoutAll({ password: PASSWORD });
    expect(await refusalOf(at.as({ sessionId: other }).getTags())).toEqual(invalid);
    for (const sessionId of [mine, anns]) expect((await at.as({ sessionId }).getTags()).list.length).toBe(2);
    expect((await at.activity()).at(-1)).toMatchObject({ action: "notice", username: "Joe", sessions: 1 });
    expect((await at.securityRows()).at(-1)).toMatchObject({ action: "warning", sessions: 1 });
  });

  test("needs the password", async () => {
    await using at = await setUp();
    const [mine, other] = [await at.signIn(), await at.signIn()];
    expect(await refusalOf(at.as({ sessionId: mine }).logoutAll({ password: "wrong" }))).toEqual({
      code: "login",
      description: "Your password is incorrect.",
    });
    expect((await at.as({ sessionId: other }).getTags()).list.length).toBe(2);
  });

  test("is not for keys, or users of the host", async () => {
    await using at = await setUp();
    for (const kind of ["key", "host"] as const)
      expect(await refusalOf(at.as({ ...keyWith(["admin"]), kind }).logoutAll({ password: "x" }))).toEqual({
        code: "session",
        description: "This operation requires a user session.",
      });
  });

  test("cannot be used to guess the password of a stolen session", async () => {
    await using at = await setUp();
    const sessionId = await at.signIn();
    const guess = () => at.call("logout_all", { password: "wrong" }, { sessionId }, clientAt());
    for (let n = 0; n < 30; n++) await guess();
    expect((await guess()).body.description).toBe("Too many failed attempts.  Please try again later.");
  });
});

describe("admin_logout_all", () => {
  test("ends all sessions of a user", async () => {
    await using at = await setUp();
    const sessions = [await at.signIn(), await at.signIn()];
    expect(await at.api.adminLogoutAll({ username: "JOE" })).toEqual({ id: expect.stringMatching(/^i/) });
    for (const sessionId of sessions) expect(await refusalOf(at.as({ sessionId }).getTags())).toEqual(invalid);
    expect((await at.activity()).at(-1)).toMatchObject({
      action: "notice",
      username: "Joe",
      admin: "system",
      sessions: 2,
    });
  });

  test("is for administrators, and for users that exist", async () => {
    await using at = await setUp();
    expect((await refusalOf(at.as(keyWith(["edit_roles"])).adminLogoutAll({ username: "joe" }))).code).toBe("access");
    expect(await refusalOf(at.api.adminLogoutAll({ username: "nobody" }))).toEqual({
      code: "user",
      description: "User not found: nobody",
    });
  });
});
