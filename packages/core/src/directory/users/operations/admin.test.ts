import { describe, expect, test } from "vitest";
import { cheapHash, PASSWORD, startWithAccounts } from "../../../../test/directory/accounts.ts";
import { keyWith, refusalOf, START } from "../../../../test/engine.ts";
import type { Mail } from "../../../ports/outside/mailer.ts";
import { sessionCollection } from "../../auth/collection.ts";
import { newSession } from "../../auth/rules/session.ts";
import type { User } from "../model.ts";

type At = Awaited<ReturnType<typeof startWithAccounts>>;

const start = ({ config, ...options }: Parameters<typeof startWithAccounts>[0] = {}) =>
  startWithAccounts({ ...options, config: { presets: false, ...config } });

const NEW = { username: "New.One", full_name: "New One", email: "new@example.com", password: "secret" };

const last = { code: "user", description: "At least one active administrator is required." };

async function giveSession(at: At, user: string) {
  const id = at.cradle.ids.hex();
  const of = { id, user, username: user, ip: "", userAgent: "", now: START, period: 86_400 };
  await at.cradle.transact(({ tx }) => tx.collection(sessionCollection).insert(newSession(of)));
  return { sessionId: id };
}

describe("an account that an administrator creates", () => {
  test("has the members that were sent, without falsy privileges", async () => {
    await using at = await start();
    const boss = at.as(keyWith(["admin"], { id: "kboss" }));
    const sent = {
      ...{ privileges: { run_jobs: 1, edit_tags: 0 }, roles: ["ops"], categories: ["c1"], groups: ["g1"] },
      ...{ active: 0, icon: "cat", language: "de", force_password_change: true, created: 1, id: "x", salt: "s" },
    };
    expect(await boss.userAdminCreate({ ...NEW, ...sent })).toEqual({ unknown: ["id", "salt"] });
    const { password, ...user } = (await at.user("newone")) ?? {};
    expect(user).toEqual({
      id: "newone",
      username: "New.One",
      full_name: "New One",
      email: "new@example.com",
      icon: "cat",
      active: 0,
      language: "de",
      ...{ notifications: false, volume: 7, admin_hide_notify_sys: false, admin_hide_notify_user: false },
      ...{ mail_own_changes: true, searches: expect.any(Array) },
      force_password_change: true,
      privileges: { run_jobs: true },
      roles: ["ops"],
      categories: ["c1"],
      groups: ["g1"],
      created: START,
      modified: START,
      revision: 1,
    });
    expect(password).toMatch(/^scrypt\$16\$/);
    const row = (await at.activity()).at(-1);
    expect(row).toMatchObject({ action: "user_create", username: "New.One", admin: "kboss" });
    expect(row?.keywords).toEqual(["New_One", "kboss"]);
    expect(JSON.stringify(row)).not.toContain("scrypt$");
    expect(await at.securityRows()).toEqual([]);
  });

  test("gets the default privileges when none are sent, and none with an empty set", async () => {
    await using at = await start();
    await at.api.userAdminCreate(NEW);
    expect((await at.user("newone"))?.privileges).toMatchObject({ create_events: true, edit_tickets: true });
    await at.api.userAdminCreate({ ...NEW, username: "bare", privileges: {} });
    expect((await at.user("bare"))?.privileges).toEqual({});
  });

  test.each<[string, Partial<User>]>([
    ["by a privilege", { privileges: { admin: true } }],
    ["by a role", { privileges: {}, roles: ["boss"] }],
  ])("is not restricted when it is an administrator %s", async (_name, members) => {
    await using at = await start();
    await at.api.createRole({ id: "boss", title: "Boss", privileges: { admin: true } });
    await at.api.userAdminCreate({ ...NEW, ...members, categories: ["c1"], groups: ["g1"] } as never);
    expect(await at.user("newone")).toMatchObject({ categories: [], groups: [] });
  });

  test("may have a name that cannot be registered, but not one that is taken", async () => {
    await using at = await start();
    await at.api.userAdminCreate({ ...NEW, username: "root" });
    expect(await refusalOf(at.api.userAdminCreate({ ...NEW, username: "R.O.O.T" }))).toEqual({
      code: "user_exists",
      description: "User already exists: R.O.O.T",
    });
  });

  test("is welcomed by mail on request", async () => {
    const mails: Mail[] = [];
    await using at = await start({ mailer: { send: async (mail) => void mails.push(mail) } });
    await at.api.userAdminCreate({ ...NEW, send_email: true });
    await at.api.userAdminCreate({ ...NEW, username: "two" });
    await at.clock.advance(1);
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([[["new@example.com"], "Welcome to Signalbox"]]);
  });

  test("needs a name that matches the installation's pattern", async () => {
    await using at = await start({ config: { User: { valid_username_match: "^[a-z]+$" } } });
    expect((await refusalOf(at.api.userAdminCreate(NEW))).description).toBe("Malformed parameter: username");
  });

  test.each<[object, string]>([
    [{ privileges: [] }, "Parameter is not type object: privileges"],
    [{ privileges: { a: "yes" } }, "Malformed parameter: privileges"],
    [{ roles: "ops" }, "Parameter is not an array: roles"],
    [{ categories: [5] }, "Malformed parameter: categories"],
    [{ active: "yes" }, "Malformed parameter: active"],
    [{ password: undefined }, "Missing parameter: password"],
  ])("is not created with %o", async (members, description) => {
    await using at = await start();
    expect(await refusalOf(at.api.userAdminCreate({ ...NEW, ...members } as never))).toEqual({
      code: "api",
      description,
    });
  });
});

describe("an administrator's change", () => {
  test("writes every member except the fixed ones", async () => {
    await using at = await start();
    const before = await at.addUser("joe", { categories: ["c1"] });
    await at.clock.advance(9);
    const sent = { full_name: "J", privileges: { run_jobs: 1, edit_tags: false }, groups: ["g2"], own_member: [1] };
    const fixed = { id: "x", created: 1, modified: 2, password: "p", salt: "s" };
    const { user } = await at.api.userAdminUpdate({ username: "joe", ...sent, ...fixed });
    expect(await at.user("joe")).toEqual({
      ...before,
      full_name: "J",
      privileges: { run_jobs: true },
      groups: ["g2"],
      own_member: [1],
      modified: START + 9,
      revision: (before.revision ?? 0) + 1,
    });
    expect(user).not.toHaveProperty("password");
    expect(user).toMatchObject({ username: "joe", full_name: "J" });
    expect((await at.activity()).at(-1)).toMatchObject({ action: "user_update", username: "joe", admin: "system" });
  });

  test("removes the restrictions of a user who becomes an administrator", async () => {
    await using at = await start();
    await at.addUser("joe", { categories: ["c1"], groups: ["g1"] });
    await at.api.userAdminUpdate({ username: "joe", privileges: { admin: true }, groups: ["g2"] });
    expect(await at.user("joe")).toMatchObject({ categories: [], groups: [] });
  });

  test("of the password unlocks the account and ends its sessions", async () => {
    await using at = await start();
    await at.addUser("joe", { force_password_reset: 1, fl_count: 6, fl_date_code: 3, force_password_change: 1 });
    const session = await giveSession(at, "joe");
    await at.api.userAdminUpdate({ username: "joe", new_password: "fresh" });
    const user = await at.user("joe");
    for (const member of ["force_password_reset", "force_password_change", "fl_count", "fl_date_code"])
      expect(user).not.toHaveProperty(member);
    expect((await at.call("get_tags", {}, session)).body.code).toBe("session");
    expect((await at.login("joe", "fresh")).body.username).toBe("joe");
  });

  test("may require another password at the next login while it sets one", async () => {
    await using at = await start();
    await at.addUser("joe");
    await at.api.userAdminUpdate({ username: "joe", new_password: "fresh", force_password_change: 1 });
    expect(await at.user("joe")).toMatchObject({ force_password_change: 1 });
  });

  test("can unlock without a new password and leaves the sessions alone", async () => {
    await using at = await start();
    await at.addUser("joe", { force_password_reset: 1, fl_count: 6, fp_count: 3 });
    const session = await giveSession(at, "joe");
    const { user } = await at.api.userAdminUpdate({ username: "joe", unlock: true });
    expect(user).not.toHaveProperty("force_password_reset");
    expect(await at.user("joe")).toMatchObject({ password: cheapHash(PASSWORD) });
    expect((await at.call("get_tags", {}, session)).body.rows).toBeDefined();
  });

  test("deactivating an account ends its sessions", async () => {
    await using at = await start();
    await at.addUser("joe");
    await giveSession(at, "joe");
    const ended: unknown[] = [];
    at.events.on("session.ended", (payload) => void ended.push(payload));
    await at.api.userAdminUpdate({ username: "joe", active: false });
    expect(await at.sessions()).toEqual([]);
    expect(ended).toEqual([{ user: "joe" }]);
  });

  test("of the own password keeps the own session", async () => {
    await using at = await start();
    await at.addUser("boss", { privileges: { admin: true } });
    const [own, other] = [await giveSession(at, "boss"), await giveSession(at, "boss")];
    const { body } = await at.call("user/admin_update", { username: "boss", new_password: "fresh" }, own);
    expect(body.user).toMatchObject({ username: "boss" });
    expect((await at.call("get_tags", {}, own)).body.rows).toBeDefined();
    expect((await at.call("get_tags", {}, other)).body.code).toBe("session");
  });

  test("takes effect with the next request of the user", async () => {
    await using at = await start();
    await at.addUser("joe");
    const session = await giveSession(at, "joe");
    expect((await at.call("create_tag", { title: "T" }, session)).body.code).toBe("access");
    await at.api.userAdminUpdate({ username: "joe", privileges: { create_tags: true } });
    expect((await at.call("create_tag", { title: "T" }, session)).body.tag.username).toBe("joe");
  });
});

describe("the last active administrator", () => {
  test.each<[string, object]>([
    ["stripped", { privileges: {} }],
    ["deactivated", { active: 0 }],
  ])("cannot be %s", async (_name, members) => {
    await using at = await start();
    expect(await refusalOf(at.api.userAdminUpdate({ username: "admin", ...members }))).toEqual(last);
    expect(await at.user("admin")).toMatchObject({ privileges: { admin: true }, active: 1 });
  });

  test("cannot be deleted, not even when two delete each other at the same time", async () => {
    await using at = await start();
    expect(await refusalOf(at.api.userAdminDelete({ username: "admin" }))).toEqual(last);
    await at.addUser("boss", { privileges: { admin: true } });
    const answers = await Promise.allSettled([
      at.api.userAdminDelete({ username: "admin" }),
      at.api.userAdminDelete({ username: "boss" }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });

  test("cannot lose the role by deleting, disabling or emptying it", async () => {
    await using at = await start();
    await at.api.createRole({ id: "boss", title: "Boss", privileges: { admin: true } });
    await at.api.userAdminUpdate({ username: "admin", roles: ["boss"], privileges: {} });
    expect(await refusalOf(at.api.deleteRole({ id: "boss" }))).toEqual(last);
    expect(await refusalOf(at.api.updateRole({ id: "boss", enabled: false }))).toEqual(last);
    expect(await refusalOf(at.api.updateRole({ id: "boss", privileges: {} }))).toEqual(last);
    expect(await at.user("admin")).toMatchObject({ roles: ["boss"] });
    await at.addUser("other", { privileges: { admin: true } });
    expect(await at.api.deleteRole({ id: "boss" })).toEqual({});
  });

  test("may be missing already: then other accounts can still be changed", async () => {
    await using at = await start();
    await at.changeUser("admin", { active: 0 });
    await at.addUser("joe");
    expect((await at.api.userAdminUpdate({ username: "joe", active: 0 })).user.active).toBe(0);
    expect(await at.api.userAdminDelete({ username: "joe" })).toEqual({});
  });
});
