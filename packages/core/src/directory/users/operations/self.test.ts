import { describe, expect, test } from "vitest";
import { clientAt, PASSWORD, startWithAccounts } from "../../../../test/directory/accounts.ts";
import { keyWith, refusalOf, START } from "../../../../test/engine.ts";
import type { ConfigInput } from "../../../engine/config.ts";
import { sessionCollection } from "../../auth/collection.ts";
import { newSession } from "../../auth/rules/session.ts";
import { userKey } from "../rules/account.ts";

type At = Awaited<ReturnType<typeof startWithAccounts>>;

/** Creates a session without a login, which would take the time of a full hash. */
async function signIn(at: At, username: string) {
  const id = at.cradle.ids.hex();
  const of = { id, user: userKey(username), username, ip: "", userAgent: "", now: START, period: 86_400 };
  await at.cradle.transact(({ tx }) => tx.collection(sessionCollection).insert(newSession(of)));
  return { sessionId: id };
}

async function setUp(options: Parameters<typeof startWithAccounts>[0] = {}) {
  const at = await startWithAccounts({ ...options, config: { presets: false, ...options.config } });
  await at.addUser("Joe.Doe", { categories: ["c1"], groups: ["g1"], fl_count: 2, fl_date_code: 5 });
  return { ...at, session: await signIn(at, "joe.doe") };
}

const own = { username: "Joe.Doe", old_password: PASSWORD };
const noSession = { code: "session", description: "This operation requires a user session." };

describe("the own account", () => {
  test("accepts name, address, icon and preferences, and shows neither hash nor counters", async () => {
    await using at = await setUp();
    await at.clock.advance(5);
    const sent = {
      ...own,
      full_name: " <b>Joe</b> ",
      email: "joe@new.example",
      icon: "cat",
      timezone: "UTC",
      volume: 3,
    };
    const { body } = await at.call("user/update", { ...sent, filters: { jobs: ["a"] } }, at.session);
    expect(body.user).toEqual({
      username: "Joe.Doe",
      full_name: "Joe",
      email: "joe@new.example",
      icon: "cat",
      timezone: "UTC",
      volume: 3,
      filters: { jobs: ["a"] },
      searches: expect.any(Array),
      active: 1,
      privileges: {},
      roles: [],
      categories: ["c1"],
      groups: ["g1"],
      created: START,
      modified: START + 5,
      revision: 2,
    });
    expect(await at.user("joedoe")).toMatchObject({ email: "joe@new.example", fl_count: 2 });
  });

  test("cannot get rights or another name from its owner", async () => {
    await using at = await setUp();
    const before = await at.user("joedoe");
    const forged = {
      ...{ active: 0, privileges: { admin: true }, roles: ["boss"], categories: [], groups: [], created: 1, id: "x" },
      ...{
        salt: "s",
        password: "scrypt$x",
        force_password_reset: 1,
        fl_count: 0,
        fp_count: 9,
        remote: true,
        sync: true,
      },
    };
    await at.call("user/update", { ...own, ...forged }, at.session);
    expect(await at.user("joedoe")).toEqual({ ...before, revision: 2 });
  });

  test.each<[object, string, string]>([
    [{ username: "other" }, "user", "Username mismatch."],
    [{ old_password: "wrong" }, "user", "Your password is incorrect."],
    [{ old_password: "" }, "api", "Malformed parameter: old_password"],
    [{ old_password: 5 }, "api", "Parameter is not type string: old_password"],
    [{ new_password: "x".repeat(1025) }, "api", "Malformed parameter: new_password"],
    [{ email: "nobody" }, "api", "Malformed parameter: email"],
    [{ full_name: "<b></b>" }, "api", "Malformed parameter: full_name"],
    [{ language: "x".repeat(257) }, "api", "Malformed parameter: language"],
    [{ volume: { loud: true } }, "api", "Malformed parameter: volume"],
    [{ filters: "x".repeat(65_535) }, "api", "Malformed parameter: filters"],
  ])("is not changed by %#: %o", async (members, code, description) => {
    await using at = await setUp();
    const before = await at.user("joedoe");
    expect((await at.call("user/update", { ...own, ...members }, at.session)).body).toEqual({ code, description });
    expect(await at.user("joedoe")).toEqual(before);
  });

  test("is only for users of the engine, not for keys, the host's users and the engine itself", async () => {
    await using at = await setUp();
    const host = { kind: "host", id: "joedoe", title: "", privileges: {}, categories: [], groups: [] } as const;
    for (const client of [at.as(keyWith(["admin"], { id: "joedoe" })), at.as(host), at.api]) {
      const deleted = { username: "joedoe", password: PASSWORD };
      expect(await refusalOf(client.userUpdate({ ...own }))).toEqual(noSession);
      expect(await refusalOf(client.userDelete(deleted))).toEqual(noSession);
      expect(await refusalOf(client.userSettings({ volume: 1 }))).toEqual(noSession);
      expect(await refusalOf(client.getUserActivity())).toEqual(noSession);
    }
  });
});

describe("a new own password", () => {
  test("works, ends the other sessions and keeps this one", async () => {
    await using at = await setUp();
    await at.changeUser("joedoe", { force_password_change: 1 });
    const other = await signIn(at, "joedoe");
    const { body } = await at.call("user/update", { ...own, new_password: "battery staple" }, at.session);
    expect(body.user).not.toHaveProperty("force_password_change");
    expect((await at.user("joedoe"))?.password).toMatch(/^scrypt\$16\$8\$1\$/);
    expect((await at.call("get_tags", {}, other)).body.code).toBe("session");
    expect((await at.call("get_tags", {}, at.session)).body.rows).toBeDefined();
    expect((await at.login("joedoe", "battery staple")).body.username).toBe("Joe.Doe");
    expect((await at.login("joedoe")).body.code).toBe("login");
  });

  test("an empty new password leaves the old one", async () => {
    await using at = await setUp();
    await at.call("user/update", { ...own, new_password: "" }, at.session);
    expect((await at.login("joedoe")).body.username).toBe("Joe.Doe");
  });

  test("may have to be longer", async () => {
    await using at = await setUp({ config: { User: { min_password_length: 10 } } });
    const { body } = await at.call("user/update", { ...own, new_password: "short" }, at.session);
    expect(body).toEqual({ code: "api", description: "Malformed parameter: new_password" });
  });

  test("is logged as such, without its text or hash", async () => {
    await using at = await setUp();
    await at.call("user/update", { ...own, new_password: "battery staple" }, at.session);
    const rows = (await at.activity()).slice(-2);
    expect(rows).toMatchObject([
      { action: "user_update", username: "Joe.Doe", user: { username: "Joe.Doe" }, ip: "198.51.100.7" },
      { action: "user_password", username: "Joe.Doe" },
    ]);
    expect(rows[0]).not.toHaveProperty("admin");
    const text = JSON.stringify([await at.activity(), await at.securityRows()]);
    for (const secret of [PASSWORD, "battery staple", "scrypt$", (await at.user("joedoe"))?.password ?? ""])
      expect(text).not.toContain(secret);
  });

  test("is refused for the later of two concurrent changes, whose old password is wrong by then", async () => {
    await using at = await setUp();
    const change = (password: string) => at.call("user/update", { ...own, new_password: password }, at.session);
    const answers = await Promise.all([change("one"), change("two")]);
    const refused = answers.filter(({ body }) => body.code === "user");
    expect(refused.map(({ body }) => body.description)).toEqual(["Your password is incorrect."]);
  });
});

test("guessing the password with a stolen session is throttled like logins", async () => {
  await using at = await setUp();
  // Stand-ins for logins from the same address, each of which would take the time of a hash.
  for (let count = 0; count < 29; count++) at.cradle.loginThrottle.take(clientAt().ip);
  await at.call("user/update", { ...own, old_password: "x" }, at.session);
  expect((await at.call("user/update", own, at.session)).body).toEqual({
    code: "login",
    description: "Too many failed attempts.  Please try again later.",
  });
});

describe("settings", () => {
  test("change preferences without a password and leave the others", async () => {
    await using at = await setUp();
    await at.call("user_settings", { language: "de", sidebar: { open: true } }, at.session);
    const { body } = await at.call("user_settings", { language: "en", icon: null }, at.session);
    expect(body.user).toMatchObject({ language: "en", sidebar: { open: true }, icon: "", username: "Joe.Doe" });
  });

  test("leave no row in the activity log, because pages save one with every click", async () => {
    await using at = await setUp();
    const before = await at.activity();
    const sent = { volume: 3, theme: "dark", locale: "de-DE" };
    await at.call("user_settings", sent, at.session);
    expect(await at.activity()).toEqual(before);
    expect(await at.user("joedoe")).toMatchObject(sent);
  });

  test.each([
    ...["username", "full_name", "email", "password", "privileges", "categories", "groups", "roles", "active", "salt"],
    ...["created", "force_password_reset", "fl_count"],
  ])("save known preferences and ignore the account's member %s", async (member) => {
    await using at = await setUp();
    const before = await at.user("joedoe");
    const { body } = await at.call("user_settings", { volume: 1, [member]: { admin: true } }, at.session);
    expect(body.user).toMatchObject({ volume: 1 });
    const { modified: _then, revision: _count, ...kept } = before as Record<string, unknown>;
    expect(await at.user("joedoe")).toMatchObject({ ...kept, volume: 1 });
    expect(Object.hasOwn((await at.user("joedoe")) ?? {}, member)).toBe(Object.hasOwn(before ?? {}, member));
  });

  test("refuse a member that is no preference", async () => {
    await using at = await setUp();
    expect((await at.call("user_settings", { volume: 1, made_up: 1 }, at.session)).body).toEqual({
      code: "api",
      description: "Invalid parameter: made_up (illegal key)",
    });
  });
});

describe("deleting the own account", () => {
  test("deletes its sessions and its security log and clears the cookie", async () => {
    await using at = await setUp();
    const events: unknown[] = [];
    at.events.on("user.deleted", (payload) => void events.push(payload));
    const gone = await at.call("user/delete", { username: "joedoe", password: PASSWORD }, at.session);
    expect(gone.body).toEqual({});
    expect(gone.cookie).toMatch(/^session_id=; Max-Age=0;/);
    expect(await at.user("joedoe")).toBeUndefined();
    expect(await at.sessions()).toEqual([]);
    expect(await at.securityRows()).toEqual([]);
    expect(events).toEqual([{ id: "joedoe" }]);
    const row = (await at.activity()).at(-1);
    expect(row).toMatchObject({ action: "user_delete", username: "Joe.Doe", user: { username: "Joe.Doe" } });
    expect((await at.call("get_tags", {}, at.session)).body.code).toBe("session");
  });

  test.each<[object, NonNullable<ConfigInput["User"]>, { code: string; description: string }]>([
    [{ password: "wrong" }, {}, { code: "login", description: "Your password is incorrect." }],
    [{ username: "admin" }, {}, { code: "user", description: "Username mismatch." }],
    [
      { username: "admin", password: "wrong" },
      { self_delete: false },
      { code: "user", description: "User account deletion has been disabled by your administrator." },
    ],
  ])("is refused for %j with %j", async (members, User, expected) => {
    await using at = await setUp({ config: { User } });
    const sent = { username: "Joe.Doe", password: PASSWORD, ...members };
    const { body, cookie } = await at.call("user/delete", sent, at.session);
    expect(body).toEqual(expected);
    expect(cookie).toBeUndefined();
    expect(await at.user("joedoe")).toBeDefined();
  });

  test("is refused for the last active administrator", async () => {
    await using at = await setUp();
    await at.addUser("boss", { privileges: { admin: true } });
    await at.changeUser("admin", { active: 0 });
    const session = await signIn(at, "boss");
    const { body } = await at.call("user/delete", { username: "boss", password: PASSWORD }, session);
    expect(body).toEqual({ code: "user", description: "At least one active administrator is required." });
    expect(await at.user("boss")).toBeDefined();
    expect((await at.call("get_tags", {}, session)).body.rows).toBeDefined();
  });
});

describe("the security log", () => {
  test("is the user's own, newest first, a page at a time", async () => {
    await using at = await setUp();
    await at.addUser("eve");
    await at.login("eve");
    await at.login("joedoe");
    await at.call("user/update", { ...own, full_name: "J" }, at.session, clientAt({ userAgent: "Firefox" }));
    const { body } = await at.call("get_user_activity", {}, at.session);
    expect(body.list).toEqual({ length: 2 });
    expect(body.rows).toMatchObject([
      { action: "user_update", username: "Joe.Doe", useragent: "Firefox", ip: "198.51.100.7", epoch: START },
      { action: "user_login" },
    ]);
    expect(body.rows[0]).not.toHaveProperty("account");
    const page = await at.call("get_user_activity", { offset: 1, limit: 5 }, at.session);
    expect(page.body.rows).toEqual(body.rows.slice(1));
    expect(page.body.list).toEqual({ length: 2 });
  });

  test("does not report changes that administrators made to the account", async () => {
    await using at = await setUp();
    await at.api.userAdminUpdate({ username: "joedoe", full_name: "By the boss" });
    expect((await at.call("get_user_activity", {}, at.session)).body.rows).toEqual([]);
  });

  test("keeps the newest thousand rows", async () => {
    await using at = await setUp();
    const { securityLog, transact } = at.cradle;
    await transact(async ({ tx }) => {
      for (let count = 0; count < 1005; count++) {
        at.clock.step(1);
        await securityLog.write(tx, "joedoe", { action: "notice", detail: { count } }, clientAt());
      }
    });
    const rows = await at.securityRows();
    expect(rows).toHaveLength(1000);
    expect(rows.some(({ count }) => count === 4)).toBe(false);
    expect(rows.some(({ count }) => count === 1004)).toBe(true);
  });
});
