import { describe, expect, test } from "vitest";
import { clientAt, PASSWORD, sessionIdOf, startWithAccounts } from "../../../../test/directory/accounts.ts";
import { refusalOf, START, usualPasswords } from "../../../../test/engine.ts";
import { sessionKey } from "../rules/session.ts";

const incorrect = { code: "login", description: "Username or password incorrect." };
const locked = { code: "login", description: "Account is locked out.  Please reset your password to unlock it." };
const disabled = { code: "login", description: "User account is disabled: joe" };

describe("a login", () => {
  test("answers the user and the CSRF token, and the session as a cookie", async () => {
    await using at = await startWithAccounts();
    await at.addUser("joe", { fl_count: 2, fl_date_code: 1 });
    const { body, cookie } = await at.login("joe");
    expect(cookie).toMatch(/^session_id=[0-9a-f]{64}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(body).toEqual({
      username: "joe",
      csrf_token: expect.stringMatching(/^[0-9a-f]{64}$/),
      user: expect.objectContaining({ username: "joe", active: 1 }),
    });
    for (const member of ["password", "salt", "fl_count", "fl_date_code", "id"])
      expect(body.user).not.toHaveProperty(member);
  });

  test("stores a session without its id and without its CSRF token", async () => {
    await using at = await startWithAccounts();
    await at.addUser("J.Doe");
    const { body, cookie } = await at.login("j.doe");
    const [session] = await at.sessions();
    expect(session).toEqual({
      id: sessionKey(sessionIdOf(cookie)),
      user: "jdoe",
      username: "j.doe",
      ip: "198.51.100.7",
      useragent: "curl/8",
      created: START,
      modified: START,
      expires: START + 365 * 86_400,
    });
    expect(body.username).toBe("J.Doe");
    expect(JSON.stringify(session)).not.toContain(body.csrf_token);
  });

  test("gives access to the API with the user's name and rights", async () => {
    await using at = await startWithAccounts();
    await at.addUser("joe", { privileges: { create_tags: true } });
    const { cookie } = await at.login("joe");
    const joe = at.as({ sessionId: sessionIdOf(cookie) });
    expect((await joe.createTag({ title: "T" })).tag.username).toBe("joe");
    expect((await refusalOf(joe.getApiKeys())).code).toBe("access");
  });

  test("creates a new session each time, also when an id was sent", async () => {
    await using at = await startWithAccounts();
    await at.addUser("joe");
    const planted = "ab".repeat(32);
    const credentials = { sessionId: planted, sessionFromCookie: true };
    const { cookie } = await at.call("user/login", { username: "joe", password: PASSWORD }, credentials);
    expect(sessionIdOf(cookie)).not.toBe(planted);
    expect(sessionIdOf((await at.login("joe")).cookie)).not.toBe(sessionIdOf(cookie));
    expect((await refusalOf(at.as({ sessionId: planted }).getTags())).code).toBe("session");
    expect(await at.sessions()).toHaveLength(2);
  });

  test("answers the session id when cookies are disabled", async () => {
    await using at = await startWithAccounts({ config: { User: { cookie_settings: false } } });
    await at.addUser("joe");
    const { body, cookie } = await at.login("joe");
    expect([body.session_id, cookie]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), undefined]);
  });

  test("answers the session id to in-process calls, which have no cookies", async () => {
    await using at = await startWithAccounts();
    await at.addUser("joe");
    const { session_id = "" } = await at.api.userLogin({ username: "joe", password: PASSWORD });
    expect((await at.as({ sessionId: session_id }).getTags()).list.length).toBe(2);
  });

  test("is in the activity log and in the account's security log, without credentials", async () => {
    await using at = await startWithAccounts();
    await at.addUser("joe");
    const { body, cookie } = await at.login("joe");
    const row = { action: "user_login", ip: "198.51.100.7", user: { username: "joe", full_name: "joe" } };
    const logs = { activity: (await at.activity()).at(-1), own: (await at.securityRows()).at(-1) };
    expect(logs).toMatchObject({ activity: { ...row, username: "joe" }, own: row });
    for (const secret of [PASSWORD, sessionIdOf(cookie), body.csrf_token])
      expect(JSON.stringify([await at.activity(), await at.securityRows()])).not.toContain(secret);
  });

  test("replaces a hash of older costs, once", async () => {
    await using at = await startWithAccounts({ plugins: [usualPasswords] });
    const { password: before } = await at.addUser("joe");
    await at.login("joe");
    const after = (await at.user("joe"))?.password;
    expect([before, after]).toEqual([
      expect.stringMatching(/^scrypt\$2\$1\$1\$/),
      expect.stringMatching(/^scrypt\$16384\$8\$5\$/),
    ]);
    expect((await at.login("joe")).body.username).toBe("joe");
    expect((await at.user("joe"))?.password).toBe(after);
  });

  test("replaces a hash of another system that the host's verifier accepts", async () => {
    const verifyPassword = async (password: string, hash: string) => hash === `old:${password}`;
    await using at = await startWithAccounts({ plugins: [usualPasswords], verifyPassword });
    await at.addUser("joe", { password: `old:${PASSWORD}` });
    expect((await at.login("joe", "wrong")).body).toEqual(incorrect);
    expect((await at.login("joe")).body.username).toBe("joe");
    expect((await at.user("joe"))?.password).toMatch(/^scrypt\$16384\$8\$5\$/);
  });

  test.each([
    [{ password: "x" }, "Missing parameter: username"],
    [{ username: "a b", password: "x" }, "Malformed parameter: username"],
    [{ username: "joe" }, "Missing parameter: password"],
    [{ username: "joe", password: "" }, "Malformed parameter: password"],
  ])("with %j is refused", async (input, description) => {
    await using at = await startWithAccounts();
    expect((await at.call("user/login", input)).body).toEqual({ code: "api", description });
  });
});

describe("a refused login", () => {
  test("has the same answer for a wrong password and an unknown user", async () => {
    await using at = await startWithAccounts();
    await at.addUser("joe");
    expect(await at.login("joe", "wrong")).toEqual({ body: incorrect, cookie: undefined });
    expect(await at.login("nobody")).toEqual({ body: incorrect, cookie: undefined });
    expect(await at.sessions()).toEqual([]);
  });

  test("the sixth failure within an hour locks the account", async () => {
    await using at = await startWithAccounts();
    await at.addUser("joe");
    for (let n = 0; n < 5; n++) await at.login("joe", "wrong");
    expect((await at.user("joe"))?.force_password_reset).toBeUndefined();
    expect((await at.login("joe", "wrong")).body).toEqual(incorrect);
    expect(await at.user("joe")).toMatchObject({ force_password_reset: 1, fl_count: 6 });
    expect((await at.login("joe", "wrong")).body).toEqual(locked);
    expect((await at.login("joe", PASSWORD, clientAt({ ip: "203.0.113.9" }))).body).toEqual(locked);
    const rows = [...(await at.activity()), ...(await at.securityRows())].filter(
      ({ action }) => action === "user_locked",
    );
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatchObject({ username: "joe", user: { username: "joe" } });
  });

  test("counts concurrent failures like consecutive ones", async () => {
    await using at = await startWithAccounts();
    await at.addUser("joe");
    await Promise.all(Array.from({ length: 6 }, () => at.login("joe", "wrong")));
    expect(await at.user("joe")).toMatchObject({ force_password_reset: 1, fl_count: 6 });
  });

  test("starts a new count in the next hour, and a success resets nothing", async () => {
    await using at = await startWithAccounts();
    await at.addUser("joe");
    for (let n = 0; n < 5; n++) await at.login("joe", "wrong");
    await at.login("joe");
    expect((await at.user("joe"))?.fl_count).toBe(5);
    at.clock.step(3600);
    await at.login("joe", "wrong");
    expect(await at.user("joe")).toMatchObject({ fl_count: 1 });
    expect((await at.login("joe")).body.username).toBe("joe");
  });

  test("from an address with 30 failures in ten minutes affects no account any more", async () => {
    await using at = await startWithAccounts();
    await at.addUser("user6");
    // Stand-ins for guesses of other accounts, each of which would take the time of a hash.
    for (let n = 0; n < 29; n++) at.cradle.loginThrottle.take(clientAt().ip);
    await at.login("user5", "wrong");
    const tooMany = { code: "login", description: "Too many failed attempts.  Please try again later." };
    expect((await at.login("user6", "wrong")).body).toEqual(tooMany);
    expect((await at.user("user6"))?.fl_count).toBeUndefined();
    const elsewhere = clientAt({ ip: "198.51.100.8" });
    expect((await at.login("user6", PASSWORD, elsewhere)).body.username).toBe("user6");
    await at.clock.advance(600);
    expect((await at.login("user6")).body.username).toBe("user6");
  });
});

describe("a change between the check of a password and its session", () => {
  test.each<[string, object, object]>([
    ["the account is locked", { force_password_reset: 1 }, locked],
    ["the password changes", { password: "other", force_password_reset: 1 }, incorrect],
    ["the account is disabled", { active: 0 }, disabled],
  ])("%s: the login is refused", async (_what, change, told) => {
    await using at = await startWithAccounts();
    const user = await at.addUser("joe");
    const { logins } = at.cradle;
    const checked = await logins.check({ user, username: "joe", password: PASSWORD }, clientAt());
    const confirm = async () => logins.confirm({ ...user, ...change }, checked);
    expect(await refusalOf(confirm())).toEqual(told);
  });
});

describe("the login bundle", () => {
  test("contains the lists that the account may see, when the configuration enables it", async () => {
    await using at = await startWithAccounts({ config: { api: { login_bundle: true } } });
    await at.addUser("joe");
    await at.addUser("ann", { privileges: { admin: true }, icon: "star" });
    await at.api.createTag({ title: "Red", id: "red" });
    const { body } = await at.login("joe");
    expect(body.tags.map(({ id }: { id: string }) => id)).toContain("red");
    expect(body).toMatchObject({ epoch: START, servers: {}, activeJobs: {}, api_keys: [], username: "joe" });
    expect(body.users).toContainEqual({ username: "ann", full_name: "ann", icon: "star" });
    expect(body).not.toHaveProperty("session_id");
    const admin = await at.login("ann");
    expect(admin.body.api_keys).toMatchObject([{ title: "Administrator", key: "REDACTED" }]);
  });

  test("has all members of the contract, also for an account with limits", async () => {
    await using at = await startWithAccounts({ config: { api: { login_bundle: true } } });
    await at.addUser("joe", { categories: ["none"], groups: ["none"] });
    const { body } = await at.login("joe");
    expect(Object.keys(body).toSorted()).toEqual([
      ...["activeAlerts", "activeJobs", "alerts", "api_keys", "buckets", "categories", "channels", "csrf_token"],
      ...["epoch", "events", "groups", "internalJobs", "monitors", "numQueuedJobs", "plugins", "roles", "secrets"],
      ...["serverCache", "servers", "socketNav", "sounds", "state", "stats", "tags", "user", "username", "users"],
      "web_hooks",
    ]);
    const empty = { activeAlerts: {}, internalJobs: {}, numQueuedJobs: 0, serverCache: {}, socketNav: {}, sounds: [] };
    expect(body).toMatchObject({ ...empty, state: { scheduler: { enabled: true } }, stats: {} });
  });

  test("is restricted like the account", async () => {
    await using at = await startWithAccounts({ config: { api: { login_bundle: true } } });
    await at.addUser("joe", { categories: ["none"] });
    expect((await at.login("joe")).body.categories).toEqual([]);
  });
});
