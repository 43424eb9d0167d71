import { describe, expect, test } from "vitest";
import { clientAt, PASSWORD, sessionIdOf, startWithAccounts } from "../../../../test/directory/accounts.ts";
import { START } from "../../../../test/engine.ts";
import type { ConfigInput } from "../../../engine/config.ts";
import { sha256Hex } from "../../../lib/secrecy/hash.ts";
import { memoryStorage } from "../../../memory/memory-storage.ts";
import type { Mail } from "../../../ports/outside/mailer.ts";
import { fakeClock } from "../../../testing/fake-clock.ts";
import { recoveryCollection } from "../collection.ts";

/** Starts an engine whose mails and queued work the test can see. */
async function setUp(User: NonNullable<ConfigInput["User"]> = {}, config: ConfigInput = {}) {
  const mails: Mail[] = [];
  const clock = fakeClock(START);
  const storage = memoryStorage({ clock });
  const mailer = { send: async (mail: Mail) => void mails.push(mail) };
  const at = await startWithAccounts({
    mailer,
    storage,
    clock,
    config: { presets: false, User, client: { name: "Ops" }, ...config },
  });
  await at.addUser("Joe.Doe", { email: "joe@example.com", full_name: "Joe" });
  const paused = async (operation: string, input: object) => {
    const call = at.call(`user/${operation}`, input);
    await at.clock.advance(0.25);
    return call;
  };
  return {
    ...at,
    mails,
    forgot: (input: object = {}) =>
      paused("forgot_password", { username: "joedoe", email: "joe@example.com", ...input }),
    reset: (key: string, input: object = {}) =>
      paused("reset_password", { username: "joedoe", new_password: "battery staple", key, ...input }),
    recoveries: () => storage.read((tx) => tx.collection(recoveryCollection).list()),
  };
}

const keyIn = (mail: Mail | undefined): string => /&h=([0-9a-f]{64})\s/.exec(mail?.text ?? "")?.[1] ?? "";
const failed = { code: "login", description: "Password reset failed." };

describe("a forgotten password", () => {
  test("works at once after it was replaced, despite earlier failures", async () => {
    await using at = await setUp();
    await at.forgot();
    await at.clock.advance(1);
    for (let n = 0; n < 9; n++) await at.login("joedoe", "forgotten");
    await at.reset(keyIn(at.mails[0]));
    expect((await at.login("joedoe", "battery staple")).body.username).toBe("Joe.Doe");
  });

  test("is replaced with the key from the mail, which unlocks the account and ends its sessions", async () => {
    await using at = await setUp();
    const session = { sessionId: sessionIdOf((await at.login("joedoe")).cookie) };
    await at.changeUser("joedoe", { force_password_reset: 1, fl_count: 6, fl_date_code: 1, force_password_change: 1 });
    expect((await at.forgot()).body).toEqual({});
    await at.clock.advance(1);
    expect(at.mails).toMatchObject([{ to: ["joe@example.com"], subject: "Reset your Ops password" }]);
    expect((await at.reset(keyIn(at.mails[0]).toUpperCase())).body).toEqual({});
    expect((await at.call("get_tags", {}, session)).body.code).toBe("session");
    const user = await at.user("joedoe");
    for (const member of ["force_password_reset", "force_password_change", "fl_count", "fp_count"])
      expect(user).not.toHaveProperty(member);
    expect((await at.login("joedoe", "battery staple")).body.username).toBe("Joe.Doe");
    await at.clock.advance(1);
    expect(at.mails.map(({ subject }) => subject)).toContain("Your Ops password was changed");
    const rows = (await at.activity()).filter(({ action }) => action === "user_password");
    expect(rows).toMatchObject([{ username: "Joe.Doe", user: { username: "Joe.Doe" } }]);
    expect((await at.securityRows()).map(({ action }) => action)).toEqual([
      ...["user_login", "notice", "user_password", "user_login"],
    ]);
  });

  test("is replaced only once with the same key", async () => {
    await using at = await setUp();
    await at.forgot();
    await at.clock.advance(1);
    const key = keyIn(at.mails[0]);
    await at.reset(key);
    expect((await at.reset(key, { new_password: "third" })).body).toEqual(failed);
    expect(await at.recoveries()).toEqual([]);
  });

  test("is replaced once by two concurrent uses of a key", async () => {
    await using at = await setUp();
    await at.forgot();
    await at.clock.advance(1);
    const key = keyIn(at.mails[0]);
    const answers = await Promise.all([at.reset(key), at.reset(key)]);
    expect(answers.map(({ body }) => body.code ?? "done").toSorted()).toEqual(["done", "login"]);
  });

  test("has a key that works for a day and not a second longer", async () => {
    await using at = await setUp();
    await at.forgot();
    await at.clock.advance(1);
    const [{ keys: [stored] = [] } = {}] = await at.recoveries();
    const { expires = 0 } = stored ?? {};
    expect(expires - at.clock.now()).toBeGreaterThan(86_398);
    const key = keyIn(at.mails[0]);
    at.clock.step(expires - 1 - at.clock.now());
    await at.forgot();
    expect((await at.recoveries())[0]?.keys).toHaveLength(2);
    at.clock.step(1);
    expect((await at.reset(key)).body).toEqual(failed);
    await at.forgot();
    expect((await at.recoveries())[0]?.keys).toHaveLength(2);
  });

  test("has a key that works in the last second of that day", async () => {
    await using at = await setUp();
    await at.forgot();
    await at.clock.advance(1);
    at.clock.step(86_397);
    expect((await at.reset(keyIn(at.mails[0]))).body).toEqual({});
  });

  test("keeps an older key valid while a newer one is on its way", async () => {
    await using at = await setUp();
    await at.forgot();
    await at.forgot();
    await at.clock.advance(1);
    expect(keyIn(at.mails[0])).not.toBe(keyIn(at.mails[1]));
    expect((await at.reset(keyIn(at.mails[0]))).body).toEqual({});
    expect((await at.reset(keyIn(at.mails[1]))).body).toEqual(failed);
  });

  test("has a key for one account alone, which is deleted with it", async () => {
    await using at = await setUp();
    await at.addUser("eve");
    await at.forgot();
    await at.clock.advance(1);
    const key = keyIn(at.mails[0]);
    for (const username of ["eve", "nobody", "admin"]) expect((await at.reset(key, { username })).body).toEqual(failed);
    await at.changeUser("joedoe", { active: 0 });
    expect((await at.reset(key)).body).toEqual(failed);
    await at.api.userAdminDelete({ username: "joedoe" });
    await at.addUser("joedoe");
    expect((await at.reset(key)).body).toEqual(failed);
  });

  test("stores neither the key nor a text that reveals it without the secret key", async () => {
    await using at = await setUp();
    const { work } = at.cradle.storage;
    const queued = new Promise<void>((resolve) => void work.onEnqueued(resolve));
    const now = { node: "other", kinds: ["users.mail"], limit: 1, now: START + 1, leaseSec: 60 };
    const call = at.forgot();
    await queued;
    // Claims the items before the engine does, to see them in the queue.
    const items = await work.claim(now);
    await call;
    const [item] = items;
    if (item) await work.release(item, { runAt: START, error: "seen", now: START });
    await at.clock.advance(2);
    const key = keyIn(at.mails[0]);
    expect(key).toHaveLength(64);
    const stored = JSON.stringify([
      items,
      await at.recoveries(),
      await at.user("joedoe"),
      await at.activity(),
      await at.securityRows(),
    ]);
    expect(stored).not.toContain(key);
    expect(stored).toContain(sha256Hex(key));
  });

  test.each<[string, object]>([
    ["an unknown account", { username: "nobody" }],
    ["another address", { email: "eve@example.com" }],
  ])("is not mailed for %s, which gets the same answer", async (_name, input) => {
    await using at = await setUp();
    expect((await at.forgot(input)).body).toEqual({});
    await at.clock.advance(1);
    expect(at.mails).toEqual([]);
    expect(await at.recoveries()).toEqual([]);
  });

  test("is not mailed for a disabled account, and the case of the address does not matter", async () => {
    await using at = await setUp();
    await at.forgot({ email: "JOE@Example.com" });
    await at.changeUser("joedoe", { active: 0 });
    await at.forgot();
    await at.clock.advance(1);
    expect(at.mails).toHaveLength(1);
  });

  test("is mailed three times in a clock hour and again in the next", async () => {
    await using at = await setUp();
    at.clock.step(3590 - 2);
    for (let count = 0; count < 5; count++) expect((await at.forgot()).body).toEqual({});
    await at.clock.advance(1);
    expect(at.mails).toHaveLength(3);
    at.clock.step(12);
    await at.forgot();
    await at.clock.advance(1);
    expect(at.mails).toHaveLength(4);
  });

  test("stores and sends nothing without a sender's address", async () => {
    await using at = await setUp({}, { email_from: "" });
    expect((await at.forgot()).body).toEqual({});
    expect(await at.recoveries()).toEqual([]);
  });

  test.each<[object, string]>([
    [{ key: "abc" }, "Malformed parameter: key"],
    [{ key: "g".repeat(64) }, "Malformed parameter: key"],
    [{ key: "0".repeat(65) }, "Malformed parameter: key"],
    [{ new_password: "" }, "Malformed parameter: new_password"],
    [{ username: undefined }, "Missing parameter: username"],
  ])("refuses a malformed reset with %j", async (members, description) => {
    await using at = await setUp();
    expect((await at.reset("0".repeat(64), members)).body).toEqual({ code: "api", description });
  });

  test("is mailed from the present sender's address of the configuration", async () => {
    await using at = await setUp({}, { email_from: "" });
    await at.forgot();
    await at.api.adminUpdateConfig({ email_from: "ops@example.com" } as never);
    await at.forgot();
    await at.clock.advance(1);
    expect(at.mails).toMatchObject([{ from: "ops@example.com", to: ["joe@example.com"] }]);
  });

  test("takes as long to answer for an unknown account as for any other", async () => {
    await using at = await setUp();
    const answered: string[] = [];
    const call = (name: string) =>
      at
        .call("user/forgot_password", { username: name, email: "joe@example.com" }, {}, clientAt())
        .then(() => answered.push(name));
    const calls = [call("joedoe"), call("nobody")];
    await at.clock.advance(0);
    expect(answered).toEqual([]);
    await at.clock.advance(0.25);
    await Promise.all(calls);
    expect(answered.toSorted()).toEqual(["joedoe", "nobody"]);
  });
});

test("a changed password is reported to the former address", async () => {
  await using at = await setUp();
  const session = { sessionId: sessionIdOf((await at.login("joedoe")).cookie) };
  const sent = { username: "joedoe", old_password: PASSWORD, new_password: "other", email: "eve@example.com" };
  await at.call("user/update", sent, session, clientAt({ userAgent: "Fox\nSubject: x" }));
  await at.clock.advance(1);
  expect(at.mails).toMatchObject([{ to: ["joe@example.com"], subject: "Your Ops password was changed" }]);
  expect(at.mails[0]?.text).toContain("Address: 198.51.100.7\nProgram: Fox Subject: x\n");
});
