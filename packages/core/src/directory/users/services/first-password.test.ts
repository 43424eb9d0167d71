import { describe, expect, test } from "vitest";
import { startWithAccounts } from "../../../../test/directory/accounts.ts";
import { START, usualPasswords } from "../../../../test/engine.ts";
import { memoryStorage } from "../../../memory/memory-storage.ts";
import { fakeClock } from "../../../testing/fake-clock.ts";
import { isAwaited } from "../rules/password-hash.ts";

const USUAL = /^scrypt\$16384\$8\$5\$/;
const keptStorage = () => ({ ...memoryStorage({ clock: fakeClock(START) }), close: async () => undefined });
const begin = (storage = keptStorage(), administratorPassword: string | undefined = "p") =>
  startWithAccounts({ plugins: [usualPasswords], storage, administratorPassword });

/** Returns the store of a process that was killed within its first second. */
async function unfinished() {
  const storage = keptStorage();
  const killed = await begin(storage);
  const { password = "" } = (await killed.user("admin")) ?? {};
  await killed.stop();
  await using next = await startWithAccounts({ storage });
  await next.changeUser("admin", { password });
  return storage;
}

describe("the given password of the first administrator", () => {
  test("is hashed a second after the start", async () => {
    await using at = await begin();
    expect(isAwaited((await at.user("admin"))?.password ?? "")).toBe(true);
    await at.clock.advance(1);
    await expect.poll(async () => (await at.user("admin"))?.password).toMatch(USUAL);
  });

  test("is hashed by an earlier login, of any name", async () => {
    await using at = await begin();
    const [known, unknown] = await Promise.all([at.login("admin", "p"), at.login("nobody", "p")]);
    expect(known.body.user.privileges).toEqual({ admin: true });
    expect(unknown.body.code).toBe("login");
    expect((await at.user("admin"))?.password).toMatch(USUAL);
  });

  test("is refused like any other when it is wrong", async () => {
    await using at = await begin();
    expect((await at.login("admin", "q")).body.code).toBe("login");
    expect((await at.login("admin", "p")).body.username).toBe("admin");
  });

  test("is hashed by a stop that comes before", async () => {
    const storage = keptStorage();
    await (await begin(storage)).stop();
    await using at = await begin(storage, "another");
    expect((await at.user("admin"))?.password).toMatch(USUAL);
    expect((await at.login("admin", "p")).body.username).toBe("admin");
  });

  test("does not replace one that was set meanwhile", async () => {
    await using at = await begin();
    await at.changeUser("admin", { password: "set" });
    expect((await at.login("admin", "p")).body.code).toBe("login");
    expect((await at.user("admin"))?.password).toBe("set");
  });

  test("is used by the next start after a crash within that second", async () => {
    await using at = await begin(await unfinished(), "p2");
    expect(at.report).toEqual({});
    expect((await at.login("admin", "p2")).body.username).toBe("admin");
  });

  test("has no effect at a next start without it, and no empty password works", async () => {
    await using at = await startWithAccounts({ plugins: [usualPasswords], storage: await unfinished() });
    expect((await at.login("admin", "")).body.code).not.toBe(0);
    expect(isAwaited((await at.user("admin"))?.password ?? "")).toBe(true);
  });
});
