import { describe, expect, test } from "vitest";
import { startWithAccounts } from "../../../../test/directory/accounts.ts";
import { keyWith, refusalOf } from "../../../../test/engine.ts";

const start = () => startWithAccounts({ config: { presets: false } });

describe("deleting and reading accounts", () => {
  test("a deleted account is removed with its sessions and its security log", async () => {
    await using at = await start();
    await at.addUser("joe");
    await at.login("joe");
    expect(await at.api.userAdminDelete({ username: "J.o.e" })).toEqual({});
    expect(await at.user("joe")).toBeUndefined();
    expect(await at.sessions()).toEqual([]);
    expect(await at.securityRows()).toEqual([]);
    const row = (await at.activity()).at(-1);
    expect(row).toMatchObject({ action: "user_delete", username: "joe", admin: "system", user: { username: "joe" } });
    expect(JSON.stringify(row)).not.toContain("scrypt$");
  });

  test("accounts are shown without hashes and counters, a page at a time", async () => {
    await using at = await start();
    for (const name of ["one", "two", "three"]) await at.addUser(name, { fl_count: 3, salt: "pepper" });
    const { rows, list } = await at.api.userAdminGetUsers({ offset: 1, limit: 2 });
    expect(rows.map(({ username }) => username)).toEqual(["one", "two"]);
    expect(list.length).toBe(4);
    const { user } = await at.api.userAdminGetUser({ username: "O.N.E" });
    expect(user.username).toBe("one");
    const text = JSON.stringify([rows, user]);
    for (const hidden of ["scrypt$", "pepper", "fl_count", '"id"']) expect(text).not.toContain(hidden);
    expect((await at.api.userAdminGetUsers()).rows).toHaveLength(4);
  });

  test("refuse unknown accounts with the contract's messages", async () => {
    await using at = await start();
    const unknown = { code: "user", description: "User not found: nobody" };
    expect(await refusalOf(at.api.userAdminUpdate({ username: "nobody" }))).toEqual(unknown);
    expect(await refusalOf(at.api.userAdminUpdate({ username: "nobody", new_password: "x" }))).toEqual(unknown);
    expect(await refusalOf(at.api.userAdminDelete({ username: "nobody" }))).toEqual(unknown);
    expect(await refusalOf(at.api.userAdminGetUser({ username: "nobody" }))).toEqual({
      code: "user",
      description: "Failed to load user: Error: Item not found",
    });
  });

  test("need an administrator, or a key that is one", async () => {
    await using at = await start();
    const who = at.as(keyWith(["create_roles", "edit_roles"]));
    const calls = [
      who.userAdminCreate({ username: "new", full_name: "New", email: "new@example.com", password: "secret" }),
      who.userAdminUpdate({ username: "admin" }),
      who.userAdminDelete({ username: "admin" }),
      who.userAdminGetUser({ username: "admin" }),
      who.userAdminGetUsers(),
    ];
    const description = "You do not have the 'Administrator' privilege required to perform this action.";
    for (const call of calls) expect(await refusalOf(call)).toEqual({ code: "access", description });
    const { api_key: _record, plain_key } = await at.api.createApiKey({ title: "K", privileges: { admin: true } });
    expect((await at.as({ apiKey: plain_key }).userAdminGetUsers()).rows).toHaveLength(1);
  });
});
