import { describe, expect, test } from "vitest";
import { PASSWORD as GUESSED, startWithAccounts } from "../../../test/directory/accounts.ts";
import { setUpSecrets } from "../../../test/directory/secret-setup.ts";
import { keyWith, refusalOf } from "../../../test/engine.ts";
import { userCollection } from "../../directory/users/collection.ts";
import type { User } from "../../directory/users/model.ts";
import type { Actor } from "../../kernel/calls/context.ts";

const PASSWORD = "an administrator's password";

const userActor = (id: string): Actor => ({ ...keyWith(["admin"]), kind: "user", id });

async function setUpUser() {
  const at = await setUpSecrets();
  const { passwords } = at.cradle;
  const user = { id: "jdoe", username: "J.Doe", full_name: "J", email: "", password: await passwords.hash(PASSWORD) };
  const rights = { active: true, privileges: { admin: true }, roles: [], categories: [], groups: [] };
  await at.transact(({ tx }) =>
    tx.collection(userCollection).insert({ ...user, ...rights, created: 1, modified: 1 } as User),
  );
  return at;
}

const NOT_ONLINE = {
  code: "admin",
  description: "Cannot rotate secret key when specified via environment variable.",
};
const WRONG = { code: "admin", description: "Incorrect password." };

describe("admin_rotate_secret_key", () => {
  test("asks a user for the own password first and then refuses, because the host has the key", async () => {
    await using at = await setUpUser();
    const user = at.as(userActor("J.Doe"));
    expect(await refusalOf(user.adminRotateSecretKey({ password: "wrong" }))).toEqual(WRONG);
    expect(await refusalOf(user.adminRotateSecretKey({ password: PASSWORD }))).toEqual(NOT_ONLINE);
  });

  test("refuses unknown users like wrong passwords", async () => {
    await using at = await setUpUser();
    expect(await refusalOf(at.as(userActor("ghost")).adminRotateSecretKey({ password: PASSWORD }))).toEqual(WRONG);
  });

  test.each(["key", "host", "system"] as const)(
    "refuses callers of the kind %s: they have no password",
    async (kind) => {
      await using at = await setUpUser();
      const caller = at.as({ ...keyWith(["admin"]), kind });
      expect(await refusalOf(caller.adminRotateSecretKey({ password: PASSWORD }))).toEqual({
        code: "admin",
        description: "The secret key can be rotated by a user's session only.",
      });
    },
  );

  test("delays guesses of the password by a stolen session like the login does", async () => {
    await using at = await startWithAccounts();
    await at.addUser("ann", { privileges: { admin: true } });
    const session = { sessionId: await at.signIn("ann") };
    const ask = async (password: string) => (await at.call("admin_rotate_secret_key", { password }, session)).body;
    expect(await ask(GUESSED)).toEqual(NOT_ONLINE);
    for (let n = 0; n < 6; n++) expect(await ask("wrong")).toEqual(WRONG);
    expect(await ask(GUESSED)).toEqual(WRONG);
    await at.clock.advance(1);
    expect(await ask(GUESSED)).toEqual(NOT_ONLINE);
  });

  test("is refused while other exclusive work runs, and shows no one a key", async () => {
    let kept = ["a secret key of a test"];
    const keyProvider = {
      keys: async () => kept,
      async keep(keys: readonly string[]) {
        kept = [...keys];
      },
    };
    await using at = await startWithAccounts({ keyProvider });
    await at.addUser("ann", { privileges: { admin: true } });
    const session = { sessionId: await at.signIn("ann") };
    const ask = async () => (await at.call("admin_rotate_secret_key", { password: GUESSED }, session)).body;
    const other = Promise.withResolvers<void>();
    const spec = { title: "Other", type: "maint", username: "ann", exclusive: true } as const;
    at.cradle.internalJobs.start(spec, () => other.promise);
    expect(await ask()).toEqual({ code: "admin", description: "Another maintenance job is already running." });
    expect(kept).toHaveLength(1);
    other.resolve();
    await expect.poll(() => at.cradle.internalJobs.list()).toEqual([]);
    expect(await ask()).toEqual({ id: expect.any(String) });
    await expect.poll(() => kept.length).toBe(2);
  });

  test("needs a password", async () => {
    await using at = await setUpUser();
    expect(await refusalOf(at.api.adminRotateSecretKey({} as { password: string }))).toEqual({
      code: "api",
      description: "Missing parameter: password",
    });
    expect(await refusalOf(at.api.adminRotateSecretKey({ password: "" }))).toMatchObject({ code: "api" });
  });
});
