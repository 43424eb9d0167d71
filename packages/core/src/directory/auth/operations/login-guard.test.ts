import { describe, expect, test } from "vitest";
import { clientAt, PASSWORD, startWithAccounts } from "../../../../test/directory/accounts.ts";

const incorrect = { code: "login", description: "Username or password incorrect." };
const locked = { code: "login", description: "Account is locked out.  Please reset your password to unlock it." };
const disabled = { code: "login", description: "User account is disabled: joe" };
const owner = clientAt({ ip: "203.0.113.9" });

/** Failed logins of strangers, each from a different address. */
async function guess(at: Awaited<ReturnType<typeof startWithAccounts>>, username: string, count: number) {
  for (let n = 0; n < count; n++) await at.login(username, "wrong", clientAt({ ip: `10.1.${n >> 6}.${n & 63}` }));
}

describe("an administrator", () => {
  test("is not locked out by others' failures: the right password works at once from a known address", async () => {
    await using at = await startWithAccounts();
    await at.addUser("ann", { privileges: { admin: true } });
    for (let n = 0; n < 12; n++) await at.login("ann", "wrong");
    expect((await at.user("ann"))?.force_password_reset).toBeUndefined();
    expect((await at.login("ann", PASSWORD, owner)).body.username).toBe("ann");
  });

  test("by role is not locked out either", async () => {
    await using at = await startWithAccounts();
    const { role } = await at.api.createRole({ title: "Operators", privileges: { admin: true } });
    await at.addUser("rob", { roles: [role.id] });
    for (let n = 0; n < 7; n++) await at.login("rob", "wrong");
    expect((await at.user("rob"))?.force_password_reset).toBeUndefined();
  });

  test("is warned once an hour when failures exceed the limit", async () => {
    await using at = await startWithAccounts();
    await at.addUser("ann", { privileges: { admin: true } });
    await guess(at, "ann", 8);
    const rows = [...(await at.activity()), ...(await at.securityRows())].filter(({ action }) => action === "warning");
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatchObject({ description: "Too many failed logins; further attempts are delayed." });
  });

  test("an administrator who was locked on purpose stays locked", async () => {
    await using at = await startWithAccounts();
    await at.addUser("ann", { privileges: { admin: true }, force_password_reset: 1 });
    expect((await at.login("ann")).body).toEqual(locked);
  });
});

describe("a refused login", () => {
  test.each([
    ["an unknown name", undefined, PASSWORD, incorrect],
    ["a wrong password", {}, "wrong", incorrect],
    ["a locked account with the right password", { force_password_reset: 1 }, PASSWORD, locked],
    ["a locked account with a wrong password", { force_password_reset: 1 }, "wrong", locked],
    ["a disabled account with the right password", { active: 0 }, PASSWORD, disabled],
    ["a disabled account with a wrong password", { active: 0 }, "wrong", incorrect],
    ["a locked and disabled account with a wrong password", { active: 0, force_password_reset: 1 }, "wrong", locked],
    ["a locked and disabled account", { active: 0, force_password_reset: 1 }, PASSWORD, locked],
  ])(
    "reveals a lock for every password, and a disabled account only for the right one: %s",
    async (_what, members, password, body) => {
      await using at = await startWithAccounts();
      if (members) await at.addUser("joe", members as object);
      expect(await at.login("joe", password)).toEqual({ body, cookie: undefined });
      expect(await at.sessions()).toEqual([]);
    },
  );

  test("counts the right password of a disabled account like a wrong one", async () => {
    await using at = await startWithAccounts();
    await at.addUser("joe", { active: 0 });
    for (let n = 0; n < 6; n++) expect((await at.login("joe")).body).toEqual(disabled);
    expect((await at.login("joe")).body).toEqual(incorrect);
    await at.clock.advance(1);
    expect((await at.login("joe")).body).toEqual(disabled);
  });

  test("locks the account at the sixth failure, which then answers all passwords alike", async () => {
    await using at = await startWithAccounts();
    await at.addUser("joe");
    for (let n = 0; n < 6; n++) expect((await at.login("joe", "wrong")).body).toEqual(incorrect);
    for (const password of ["wrong", PASSWORD]) expect((await at.login("joe", password)).body).toEqual(locked);
    expect((await at.login("joe", PASSWORD, owner)).body).toEqual(locked);
    expect(await at.user("joe")).toMatchObject({ force_password_reset: 1, fl_count: 6 });
  });

  test("during a delay has the same answer, also for the right password, until the delay ends", async () => {
    await using at = await startWithAccounts();
    await at.addUser("ann", { privileges: { admin: true } });
    for (let n = 0; n < 8; n++) await at.login("ann", "wrong");
    expect(await at.login("ann")).toEqual({ body: incorrect, cookie: undefined });
    await at.clock.advance(4);
    expect((await at.login("ann")).body.username).toBe("ann");
    expect((await at.login("ann", "wrong")).body).toEqual(incorrect);
    expect((await at.login("ann")).body.username).toBe("ann");
  });

  test("during a delay is neither checked nor counted on the account", async () => {
    await using at = await startWithAccounts();
    await at.addUser("ann", { privileges: { admin: true } });
    for (let n = 0; n < 20; n++) await at.login("ann", "wrong");
    expect((await at.user("ann"))?.fl_count).toBe(6);
  });

  test("delays an unknown name like a known one, so that registering it later reveals nothing", async () => {
    await using at = await startWithAccounts();
    for (let n = 0; n < 6; n++) await at.login("ann", "wrong");
    await at.addUser("ann", { privileges: { admin: true } });
    expect((await at.login("ann")).body).toEqual(incorrect);
    await at.clock.advance(1);
    expect((await at.login("ann")).body.username).toBe("ann");
  });
});

describe("an account that is unlocked", () => {
  /** The sixth failure locks the account; after it the address is delayed as well. */
  async function lockOut() {
    const at = await startWithAccounts();
    await at.addUser("joe");
    for (let n = 0; n < 9; n++) await at.login("joe", "wrong");
    return at;
  }

  test("by an administrator accepts the right password at once", async () => {
    await using at = await lockOut();
    await at.api.userAdminUpdate({ username: "J.Oe", unlock: true });
    expect((await at.login("joe")).body.username).toBe("joe");
  });

  test("after it was disabled accepts the right password at once", async () => {
    await using at = await startWithAccounts();
    await at.addUser("joe", { active: 0 });
    for (let n = 0; n < 9; n++) await at.login("joe");
    await at.api.userAdminUpdate({ username: "joe", active: 1 });
    expect((await at.login("joe")).body.username).toBe("joe");
  });

  test("with another password accepts it at once", async () => {
    await using at = await lockOut();
    await at.api.userAdminUpdate({ username: "joe", new_password: "fresh" });
    expect((await at.login("joe", "fresh")).body.username).toBe("joe");
  });

  test("keeps its delay after a change of an administrator that does not unlock it", async () => {
    await using at = await startWithAccounts();
    await at.addUser("ann", { privileges: { admin: true } });
    for (let n = 0; n < 9; n++) await at.login("ann", "wrong");
    await at.api.userAdminUpdate({ username: "ann", full_name: "Ann" });
    expect((await at.login("ann")).body).toEqual(incorrect);
  });
});

describe("password guesses from very many addresses", () => {
  test("delay the account as a whole, but not addresses with a session of it", async () => {
    await using at = await startWithAccounts();
    await at.addUser("ann", { privileges: { admin: true } });
    await at.login("ann", PASSWORD, owner);
    const { loginThrottle } = at.cradle;
    for (let n = 0; n < 104; n++) await loginThrottle.attempt("ann", `10.1.0.${n}`);
    expect((await at.login("ann", PASSWORD, clientAt({ ip: "192.0.2.1" }))).body).toEqual(incorrect);
    expect((await at.login("ann", PASSWORD, owner)).body.username).toBe("ann");
    await at.clock.advance(60);
    expect((await at.login("ann", PASSWORD, clientAt({ ip: "192.0.2.1" }))).body.username).toBe("ann");
  });
});
