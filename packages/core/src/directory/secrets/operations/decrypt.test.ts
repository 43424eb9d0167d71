import { describe, expect, test } from "vitest";
import { setUpSecrets } from "../../../../test/directory/secret-setup.ts";
import { keyWith, refusalOf } from "../../../../test/engine.ts";
import { localClient } from "../../../kernel/calls/context.ts";
import { memoryStorage } from "../../../memory/memory-storage.ts";
import type { Storage } from "../../../ports/storage/storage.ts";
import { fakeClock } from "../../../testing/fake-clock.ts";
import { activityCollection } from "../../activity/collection.ts";
import { payloadCollection } from "../collection.ts";

const VALUE = "planted-value-4711";
const fields = [
  { name: "B", value: VALUE },
  { name: "A", value: "" },
];
const CLOSED = "Failed to decrypt secret: The sealed record cannot be opened.";

describe("decrypt_secret", () => {
  test("answers the variables in their stored order, also of disabled secrets", async () => {
    await using at = await setUpSecrets();
    await at.api.createSecret({ id: "a", title: "T", fields, enabled: false });
    expect(await at.api.decryptSecret({ id: "a" })).toEqual({ fields });
  });

  test("leaves one row for each call, without values", async () => {
    await using at = await setUpSecrets();
    await at.api.createSecret({ id: "a", title: "Dev Database", fields });
    const client = { ...localClient, ip: "10.0.0.1", ips: ["10.0.0.1"] };
    await at.execute({ operation: "decrypt_secret", input: { id: "a" }, actor: keyWith(["admin"]), client });
    await at.api.decryptSecret({ id: "a" });
    const rows = await at.activity("secret_access");
    expect(rows).toMatchObject([
      {
        username: "ktest",
        description: "Dev Database",
        ip: "10.0.0.1",
        secret: { id: "a", title: "Dev Database", names: ["B", "A"] },
        keywords: ["a", "ktest", "10.0.0.1"],
      },
      { username: "system", secret: { id: "a" } },
    ]);
    expect(JSON.stringify(rows)).not.toContain(VALUE);
  });

  test("records a reason in the row, and no member without a reason", async () => {
    await using at = await setUpSecrets();
    await at.api.createSecret({ id: "a", title: "T", fields });
    await at.api.decryptSecret({ id: "a", reason: "The bank asks for it" });
    await at.api.decryptSecret({ id: "a", reason: "" });
    const [told, untold] = await at.activity("secret_access");
    expect(told).toMatchObject({ reason: "The bank asks for it" });
    expect(untold).not.toHaveProperty("reason");
  });

  test("refuses an unknown id without a row", async () => {
    await using at = await setUpSecrets();
    expect(await refusalOf(at.api.decryptSecret({ id: "nope" }))).toEqual({
      code: "secret",
      description: "Secret not found: nope",
    });
    expect(await at.activity("secret_access")).toEqual([]);
  });

  test.each<[string, object]>([
    ["a changed tag", { tag: Buffer.alloc(16).toString("base64") }],
    ["a short tag", { tag: "AAAA" }],
    ["another algorithm", { alg: "aes-256-cbc" }],
    ["a missing key", { fp: "00000000" }],
  ])("with %s fails with the same message and logs a warning", async (_name, change) => {
    await using at = await setUpSecrets();
    await at.api.createSecret({ id: "a", title: "T", fields });
    await at.damage("a", change);
    expect(await refusalOf(at.as(keyWith(["admin"])).decryptSecret({ id: "a" }))).toEqual({
      code: "secret",
      description: CLOSED,
    });
    expect(await at.activity("secret_access")).toEqual([]);
    expect(await at.activity("warning")).toMatchObject([
      { username: "ktest", description: CLOSED, secret: { id: "a", title: "T" }, keywords: ["a", "ktest"] },
    ]);
    const line = at.log.lines.find(({ message }) => message === "A secret cannot be opened");
    expect(line?.fields).toEqual({ code: "secret", secret: "a", fault: expect.any(String) });
  });

  test("refuses a secret without stored values with a clear message", async () => {
    await using at = await setUpSecrets();
    await at.api.createSecret({ id: "a", title: "T", fields });
    await at.transact(async ({ tx }) => {
      await tx.collection(payloadCollection).delete("a");
    });
    expect(await refusalOf(at.api.decryptSecret({ id: "a" }))).toEqual({
      code: "secret",
      description: "Failed to fetch secret: Its values are missing.",
    });
  });

  test("is refused inside a transaction of the host, because its row might never be committed", async () => {
    await using at = await setUpSecrets();
    await at.api.createSecret({ id: "a", title: "T", fields });
    const { storage } = at.cradle;
    const transaction = { read: storage.read, write: storage.write };
    expect(await refusalOf(at.execute({ operation: "decrypt_secret", input: { id: "a" }, transaction }))).toMatchObject(
      {
        code: "session",
      },
    );
    const call = { operation: "decrypt_secret", input: { id: "a" }, actor: keyWith(["admin"]), transaction };
    expect(await refusalOf(at.execute(call))).toEqual({
      code: "secret",
      description: "A secret cannot be decrypted inside a transaction of the host.",
    });
  });
});

/** A storage whose commits can be made to fail or to wait. */
function troubled(inner: Storage) {
  let beforeCommit = async (): Promise<void> => undefined;
  const storage: Storage = {
    ...inner,
    write: (work) =>
      inner.write(async (tx) => {
        const result = await work(tx);
        await beforeCommit();
        return result;
      }),
  };
  return {
    storage,
    trouble(then: () => Promise<void>) {
      beforeCommit = then;
    },
  };
}

describe("an activity row of a decryption that cannot be committed", () => {
  const RECORD = { code: "secret", description: "Failed to record secret access." };

  test("holds the values back, with the contract's message", async () => {
    const clock = fakeClock();
    const { storage, trouble } = troubled(memoryStorage({ clock }));
    await using at = await setUpSecrets({ storage, clock });
    await at.api.createSecret({ id: "a", title: "T", fields });
    trouble(async () => {
      throw new Error("The disk is full");
    });
    const refused = await refusalOf(at.api.decryptSecret({ id: "a" }));
    expect(refused).toEqual(RECORD);
    trouble(async () => undefined);
    expect(await at.activity("secret_access")).toEqual([]);
    expect(await at.api.decryptSecret({ id: "a" })).toEqual({ fields });
  });

  test("holds them back as well when the row itself is refused", async () => {
    await using at = await setUpSecrets();
    await at.api.createSecret({ id: "a", title: "T", fields });
    at.cradle.activity.writeMany = async () => {
      throw new Error("no");
    };
    expect(await refusalOf(at.api.decryptSecret({ id: "a" }))).toEqual(RECORD);
  });

  test("does not hide that the secret could not be decrypted", async () => {
    await using at = await setUpSecrets();
    await at.api.createSecret({ id: "a", title: "T", fields });
    await at.damage("a", { tag: "AAAA" });
    at.cradle.activity.writeMany = async () => {
      throw new Error("no");
    };
    expect(await refusalOf(at.api.decryptSecret({ id: "a" }))).toEqual({ code: "secret", description: CLOSED });
    expect(at.log.lines.map(({ message }) => message)).toContain("A failed access to a secret could not be recorded");
  });

  test("a row that is only slow is waited for", async () => {
    const clock = fakeClock();
    const { storage, trouble } = troubled(memoryStorage({ clock }));
    await using at = await setUpSecrets({ storage, clock });
    await at.api.createSecret({ id: "a", title: "T", fields });
    const gate = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    trouble(() => {
      reached.resolve();
      return gate.promise;
    });
    let answered = false;
    const call = at.api.decryptSecret({ id: "a" }).then((answer) => {
      answered = true;
      return answer;
    });
    await reached.promise;
    await new Promise((resolve) => setImmediate(resolve));
    expect(answered).toBe(false);
    trouble(async () => undefined);
    gate.resolve();
    expect(await call).toEqual({ fields });
    const rows = await storage.read((tx) => tx.collection(activityCollection).list());
    expect(rows.filter(({ action }) => action === "secret_access")).toHaveLength(1);
  });
});
