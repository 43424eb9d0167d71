import { describe, expect, test } from "vitest";
import { clientAt, startWithAccounts } from "../test/directory/accounts.ts";
import { refusalOf, START, startEngine, usualPasswords } from "../test/engine.ts";
import { memoryStorage } from "./memory/memory-storage.ts";
import { resetAdministrator } from "./reset-administrator.ts";
import { fakeClock } from "./testing/fake-clock.ts";

const keptStorage = () => ({ ...memoryStorage({ clock: fakeClock(START) }), close: async () => undefined });

async function signsIn(storage: ReturnType<typeof keptStorage>, password: string): Promise<unknown> {
  await using at = await startWithAccounts({ storage });
  const { body } = await at.login("admin", password, clientAt());
  return body.user?.privileges ?? body;
}

describe("resetting the administrator", () => {
  test("sets a new password, unlocks the account, gives the right back and ends its sessions", async () => {
    const storage = keptStorage();
    const before = await startWithAccounts({ storage });
    await before.changeUser("admin", {
      ...{ force_password_reset: 1, fl_count: 6, fl_date_code: 500_000, active: 0 },
      ...{ privileges: { run_jobs: true }, full_name: "Ann", categories: ["c1"] },
    });
    await before.signIn("admin");
    await before.stop();
    const made = await resetAdministrator({ storage });
    expect(made).toEqual({ username: "admin", password: expect.stringMatching(/^[A-Za-z0-9]{24}$/) });
    expect(await signsIn(storage, made.password)).toEqual({ run_jobs: true, admin: true });
    const after = await startWithAccounts({ storage });
    const user = await after.user("admin");
    expect(user).toMatchObject({ full_name: "Ann", active: 1, categories: [] });
    for (const member of ["force_password_reset", "fl_count"]) expect(user).not.toHaveProperty(member);
    expect(await after.sessions()).toHaveLength(1);
    await after.stop();
  });

  test("creates a missing account again, with the given password", async () => {
    const storage = keptStorage();
    const before = await startWithAccounts({ storage });
    await before.removeUser("admin");
    await before.stop();
    expect(await resetAdministrator({ storage, password: "x" })).toEqual({ username: "admin", password: "x" });
    expect(await signsIn(storage, "x")).toEqual({ admin: true });
  });

  test("warns in both logs without the password", async () => {
    const storage = keptStorage();
    await (await startEngine({ storage })).stop();
    const { password } = await resetAdministrator({ storage, clock: fakeClock(START + 60) });
    await using at = await startWithAccounts({ storage });
    const logs = [await at.activity(), await at.securityRows()];
    const text = "The administrator's password was reset from the command line.";
    for (const rows of logs)
      expect(rows.at(-1)).toMatchObject({ action: "warning", description: text, epoch: START + 60 });
    expect(JSON.stringify([logs, await at.user("admin")])).not.toContain(password);
  });

  test("works on a store that no engine has used, and leaves creating the key to the first start", async () => {
    const storage = keptStorage();
    await resetAdministrator({ storage, password: "mine" });
    await using engine = await startEngine({ storage });
    expect(engine.report).toEqual({ administratorKey: "administrator0123456789abc" });
  });

  test("creates another administrator, and leaves an existing account alone on request", async () => {
    const storage = keptStorage();
    await (await startEngine({ storage })).stop();
    const made = await resetAdministrator({ storage, username: "Ann.B", ifTaken: "refuse" });
    expect(made.username).toBe("Ann.B");
    await expect(resetAdministrator({ storage, username: "annb", ifTaken: "refuse" })).rejects.toThrow(
      "User already exists: annb",
    );
    await using at = await startWithAccounts({ storage });
    const { body } = await at.login("ann.b", made.password, clientAt());
    expect(body).toMatchObject({ username: "Ann.B", user: { privileges: { admin: true } } });
  });

  test("repairs an account once: an active administrator with the given password stays unchanged", async () => {
    const storage = keptStorage();
    await (await startEngine({ storage })).stop();
    const mend = (password: string) =>
      resetAdministrator({ storage, username: "ann", password, ifTaken: "mend", clock: fakeClock(START + 60) });
    for (const password of ["one", "one", "two", "two"]) await mend(password);
    const at = await startWithAccounts({ storage });
    expect((await at.activity()).filter(({ action }) => action === "warning")).toHaveLength(2);
    await at.changeUser("ann", { active: 0 });
    await at.stop();
    await mend("two");
    await using after = await startWithAccounts({ storage });
    expect(await after.user("ann")).toMatchObject({ active: 1 });
    expect((await after.login("ann", "two", clientAt())).body.username).toBe("ann");
  });

  test.each(["", "../etc", "__proto__", "constructor", "x".repeat(65)])(
    "refuses the name %j before it opens anything",
    async (username) => {
      const open = async () => {
        throw new Error("It was opened");
      };
      const call = resetAdministrator({ storage: { ...keptStorage(), open }, username });
      await expect(call).rejects.toThrow("Malformed parameter: username");
    },
  );

  test("refuses an empty password before it opens anything", async () => {
    const open = async () => {
      throw new Error("It was opened");
    };
    const call = resetAdministrator({ storage: { ...keptStorage(), open }, password: "" });
    await expect(call).rejects.toThrow("The administrator's password must not be empty.");
  });
});

describe("the first start", () => {
  test("creates the user admin with the given password, which is shown once and stored as a hash", async () => {
    const storage = keptStorage();
    await using at = await startWithAccounts({ plugins: [usualPasswords], storage, administratorPassword: "p" });
    expect(at.report).toEqual({ administratorKey: "administrator0123456789abc", administratorPassword: "p" });
    expect(await at.user("admin")).toMatchObject({
      id: "admin",
      username: "admin",
      full_name: "Administrator",
      active: 1,
      privileges: { admin: true },
    });
    expect((await at.login("admin", "p")).body.user.privileges).toEqual({ admin: true });
    expect((await at.user("admin"))?.password).toMatch(/^scrypt\$16384\$8\$5\$/);
  });

  test("creates a random password when none is given; its first login stores the usual hash", async () => {
    await using at = await startWithAccounts({ plugins: [usualPasswords] });
    const { administratorPassword = "" } = at.report;
    expect(administratorPassword).toMatch(/^[A-Za-z0-9]{24}$/);
    expect((await at.login("admin", administratorPassword)).body.username).toBe("admin");
    expect((await at.user("admin"))?.password).toMatch(/^scrypt\$16384\$8\$5\$/);
    expect((await at.login("admin", administratorPassword)).body.username).toBe("admin");
  });

  test("is reported in the activity log, without the password", async () => {
    await using at = await startWithAccounts();
    const rows = await at.activity();
    expect(rows).toContainEqual(expect.objectContaining({ action: "user_create", username: "admin" }));
    expect(JSON.stringify(rows)).not.toContain(at.report.administratorPassword);
  });

  test("is the only one that accepts a password", async () => {
    const storage = keptStorage();
    await (await startEngine({ storage, administratorPassword: "first" })).stop();
    await using at = await startWithAccounts({ storage, administratorPassword: "second" });
    expect(at.report).toEqual({});
    expect((await at.login("admin", "second")).body.code).toBe("login");
    expect((await at.login("admin", "first")).body.username).toBe("admin");
  });

  test("does not restore an administrator who was deleted on purpose", async () => {
    const storage = keptStorage();
    const first = await startWithAccounts({ storage });
    await first.removeUser("admin");
    const [key] = (await first.api.getApiKeys()).rows;
    await first.api.deleteApiKey({ id: key?.id ?? "" });
    await first.stop();
    await using second = await startWithAccounts({ storage });
    expect([second.report, await second.user("admin")]).toEqual([{}, undefined]);
  });

  test("refuses an empty password", async () => {
    const call = startEngine({ administratorPassword: "" });
    expect(await refusalOf(call)).toMatchObject({ description: "The administrator's password must not be empty." });
  });
});
