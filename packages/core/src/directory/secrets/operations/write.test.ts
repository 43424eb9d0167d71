import { describe, expect, test } from "vitest";
import { setUpSecrets } from "../../../../test/directory/secret-setup.ts";
import { keyWith, refusalOf, START } from "../../../../test/engine.ts";
import { shared } from "../../../../test/shared.ts";
import { payloadCollection } from "../collection.ts";

const VALUE = "planted-value-4711";
const fields = [{ name: "DB_PASS", value: VALUE }];

describe("create_secret", () => {
  test("stores metadata beside an encrypted record and answers the metadata alone", async () => {
    await using at = await setUpSecrets();
    const { secret } = await at.as(keyWith(["admin"])).createSecret({ title: "Dev Database", fields });
    expect(secret).toEqual({
      id: expect.stringMatching(/^z[a-z0-9]{15}$/),
      title: "Dev Database",
      enabled: true,
      icon: "",
      notes: "",
      names: ["DB_PASS"],
      events: [],
      categories: [],
      plugins: [],
      web_hooks: [],
      username: "ktest",
      created: START,
      modified: START,
      revision: 1,
    });
    expect(await at.payload(secret.id)).toMatchObject({ id: secret.id, v: 1, alg: "aes-256-gcm" });
  });

  test("shows no value in rows, lists, logs or events", async () => {
    await using at = await setUpSecrets();
    const seen: unknown[] = [];
    at.events.on("*", (...told) => void seen.push(told));
    const { secret } = await at.api.createSecret({ title: "T", fields });
    await at.api.updateSecret({ id: secret.id, fields: [{ name: "B", value: VALUE }] });
    const rows = [await at.activity("secret_create"), await at.activity("secret_update")];
    const stored = [await at.payload(secret.id), await at.api.getSecrets(), await at.api.getSecret({ id: secret.id })];
    expect(JSON.stringify([rows, stored, at.log.lines, seen])).not.toContain(VALUE);
    expect(rows.flat()).toHaveLength(2);
  });

  test("drops members that are not part of the record", async () => {
    await using at = await setUpSecrets();
    const sent = { title: "T", value: VALUE, password: VALUE, names: ["X"], username: "m", revision: 9, key: "k" };
    const { secret } = await at.api.createSecret(sent);
    expect(secret).toMatchObject({ names: [], username: "system", revision: 1 });
    expect(secret).not.toHaveProperty("value");
    expect(secret).not.toHaveProperty("password");
    expect(secret).not.toHaveProperty("key");
  });

  test("accepts numbers and booleans as text and a name twice", async () => {
    await using at = await setUpSecrets();
    const sent = [
      { name: "N", value: 5.5 },
      { name: "B", value: false, extra: 1 },
      { name: "N", value: "" },
    ];
    const { secret } = await at.api.createSecret({ title: "T", fields: sent });
    expect(secret.names).toEqual(["N", "B"]);
    expect(await at.api.decryptSecret({ id: secret.id })).toEqual({
      fields: [
        { name: "N", value: "5.5" },
        { name: "B", value: "false" },
        { name: "N", value: "" },
      ],
    });
  });

  const unchanged = shared(setUpSecrets);
  test.each<[object, string]>([
    [{}, "Missing parameter: title"],
    [{ title: " " }, "Malformed parameter: title"],
    [{ title: "<b>" }, "Malformed title parameter: Cannot contain HTML metacharacters"],
    [{ title: "T", id: "A" }, "Malformed parameter: id"],
    [{ title: "T", fields: "A=1" }, "Parameter is not an array: fields"],
    [{ title: "T", fields: [{ name: "A" }] }, "Malformed parameter: fields"],
    [{ title: "T", fields: [{ name: "A", value: null }] }, "Malformed parameter: fields"],
    [{ title: "T", fields: [{ name: "A", value: {} }] }, "Malformed parameter: fields"],
    [{ title: "T", fields: [{ name: 1, value: "" }] }, "Malformed parameter: fields"],
    [{ title: "T", fields: ["A"] }, "Malformed parameter: fields"],
    [{ title: "T", events: "e1" }, "Parameter is not an array: events"],
    [{ title: "T", categories: [1] }, "Parameter is not an array: categories"],
    [{ title: "T", plugins: {} }, "Parameter is not an array: plugins"],
    [{ title: "T", web_hooks: 0 }, "Parameter is not an array: web_hooks"],
  ])("refuses %j", async (input, description) => {
    const at = await unchanged();
    expect(await refusalOf(at.api.createSecret(input as { title: string }))).toEqual({ code: "api", description });
  });

  test.each<[object, string]>([
    [[{ name: "9A", value: "" }], "Invalid secret variable name: 9A"],
    [[{ name: "constructor", value: "" }], "Invalid secret variable name: constructor"],
    [[{ name: "A", value: "a\0b" }], "Invalid secret variable value: A"],
    [[{ name: "A", value: "x".repeat(131_073) }], "Secret variable is too large: A"],
  ])("refuses the variables %j", async (sent, description) => {
    await using at = await setUpSecrets();
    const input = { title: "T", fields: sent as { name: string; value: string }[] };
    expect(await refusalOf(at.api.createSecret(input))).toEqual({ code: "secret", description });
    expect((await at.api.getSecrets()).rows).toEqual([]);
  });

  test("refuses a taken id before it checks the variables", async () => {
    await using at = await setUpSecrets();
    await at.api.createSecret({ id: "a", title: "T" });
    expect(await refusalOf(at.api.createSecret({ id: "a", title: "T", fields: [{ name: "-", value: "" }] }))).toEqual({
      code: "secret",
      description: "That Secret ID already exists: a",
    });
  });

  test("succeeds once for two concurrent calls with one id", async () => {
    await using at = await setUpSecrets();
    const calls = ["1", "2"].map((title) => at.api.createSecret({ id: "a", title, fields }));
    const ended = await Promise.allSettled(calls);
    expect(ended.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const refused = ended.find((end) => end.status === "rejected");
    expect(refused?.reason).toMatchObject({ code: "secret", message: "That Secret ID already exists: a" });
    expect(await at.api.decryptSecret({ id: "a" })).toEqual({ fields });
  });

  test("joins the transaction of its operation: a rollback leaves nothing of the secret", async () => {
    await using at = await setUpSecrets();
    at.cradle.activity.writeMany = async () => {
      throw new Error("disk");
    };
    expect(await refusalOf(at.api.createSecret({ id: "a", title: "T", fields }))).toMatchObject({ code: "internal" });
    expect(await at.payload("a")).toBeUndefined();
    expect((await at.api.getSecrets()).rows).toEqual([]);
  });
});

describe("update_secret", () => {
  test("without fields leaves the encrypted record unchanged", async () => {
    await using at = await setUpSecrets();
    await at.api.createSecret({ id: "a", title: "T", fields });
    const before = await at.payload("a");
    await at.clock.advance(5);
    const sent = { id: "a", title: "New", events: ["e1"], names: ["X"], enabled: 0, mask: false };
    expect(await at.api.updateSecret(sent)).toEqual({});
    const { secret } = await at.api.getSecret({ id: "a" });
    expect(secret).toMatchObject({ title: "New", events: ["e1"], names: ["DB_PASS"], enabled: 0, mask: false });
    expect(secret).toMatchObject({ created: START, modified: START + 5, revision: 2 });
    expect(await at.payload("a")).toEqual(before);
  });

  test("with fields replaces all of them, with a new salt and iv", async () => {
    await using at = await setUpSecrets();
    await at.api.createSecret({ id: "a", title: "T", fields });
    const before = await at.payload("a");
    const next = [{ name: "OTHER", value: "x" }];
    await at.api.updateSecret({ id: "a", fields: next });
    const after = await at.payload("a");
    expect(after?.salt).not.toBe(before?.salt);
    expect(after?.iv).not.toBe(before?.iv);
    expect(await at.api.decryptSecret({ id: "a" })).toEqual({ fields: next });
    expect((await at.api.getSecret({ id: "a" })).secret).toMatchObject({ title: "T", names: ["OTHER"], revision: 2 });
  });

  test("empties the secret with an empty list", async () => {
    await using at = await setUpSecrets();
    await at.api.createSecret({ id: "a", title: "T", fields });
    await at.api.updateSecret({ id: "a", fields: [] });
    expect(await at.api.decryptSecret({ id: "a" })).toEqual({ fields: [] });
    expect((await at.api.getSecret({ id: "a" })).secret.names).toEqual([]);
  });

  test("restores the values of a secret that has lost them", async () => {
    await using at = await setUpSecrets();
    await at.api.createSecret({ id: "a", title: "T", fields });
    await at.transact(async ({ tx }) => {
      await tx.collection(payloadCollection).delete("a");
    });
    await at.api.updateSecret({ id: "a", fields });
    expect(await at.api.decryptSecret({ id: "a" })).toEqual({ fields });
  });

  test("drops the key that was derived for the former values", async () => {
    await using at = await setUpSecrets();
    await at.api.createSecret({ id: "a", title: "T", fields });
    await at.api.decryptSecret({ id: "a" });
    const held = at.cradle.keyRing.held();
    await at.api.updateSecret({ id: "a", fields });
    expect(at.cradle.keyRing.held()).toBe(held - 1);
  });

  test("refuses an unknown id and bad names", async () => {
    await using at = await setUpSecrets();
    const unknown = { code: "secret", description: "Secret not found: nope" };
    expect(await refusalOf(at.api.updateSecret({ id: "nope", fields: [{ name: "-", value: "" }] }))).toEqual(unknown);
    await at.api.createSecret({ id: "a", title: "T", fields });
    expect(await refusalOf(at.api.updateSecret({ id: "a", fields: [{ name: "-", value: "" }] }))).toEqual({
      code: "secret",
      description: "Invalid secret variable name: -",
    });
    expect(await at.api.decryptSecret({ id: "a" })).toEqual({ fields });
  });
});

describe("delete_secret", () => {
  test("removes both records and the derived key", async () => {
    await using at = await setUpSecrets();
    const none = at.cradle.keyRing.held();
    await at.api.createSecret({ id: "a", title: "T", fields });
    await at.api.decryptSecret({ id: "a" });
    expect(at.cradle.keyRing.held()).toBe(none + 1);
    expect(await at.api.deleteSecret({ id: "a" })).toEqual({});
    expect((await at.api.getSecrets()).rows).toEqual([]);
    expect(await at.payload("a")).toBeUndefined();
    expect(at.cradle.keyRing.held()).toBe(none);
    expect(await at.activity("secret_delete")).toMatchObject([
      { description: "T", secret: { id: "a", names: ["DB_PASS"] } },
    ]);
  });

  test("refuses an unknown id", async () => {
    await using at = await setUpSecrets();
    expect(await refusalOf(at.api.deleteSecret({ id: "nope" }))).toEqual({
      code: "secret",
      description: "Secret not found: nope",
    });
  });
});

test("each change of a secret is emitted and leaves a row with the new metadata", async () => {
  await using at = await setUpSecrets();
  const told: unknown[] = [];
  for (const type of ["secret.created", "secret.updated", "secret.deleted"] as const)
    at.events.on(type, (payload) => void told.push([type, payload]));
  const admin = at.as(keyWith(["admin"]));
  await admin.createSecret({ id: "a", title: "T" });
  await admin.updateSecret({ id: "a", title: "New" });
  await admin.deleteSecret({ id: "a" });
  expect(told).toEqual(["created", "updated", "deleted"].map((change) => [`secret.${change}`, { id: "a" }]));
  expect(await at.activity("secret_create")).toMatchObject([{ description: "T", keywords: ["a", "ktest"] }]);
  expect(await at.activity("secret_update")).toMatchObject([{ description: "New", secret: { revision: 2 } }]);
});

test("the operations that write need an administrator, the lists any valid caller", async () => {
  await using at = await setUpSecrets();
  await at.api.createSecret({ id: "a", title: "T" });
  const plain = at.as(keyWith(["create_events"]));
  for (const call of [
    plain.createSecret({ title: "T" }),
    plain.updateSecret({ id: "a" }),
    plain.deleteSecret({ id: "a" }),
    plain.decryptSecret({ id: "a" }),
    plain.adminRotateSecretKey({ password: "x" }),
  ])
    expect(await refusalOf(call)).toMatchObject({ code: "access" });
  expect((await plain.getSecrets()).list.length).toBe(1);
  expect((await plain.getSecret({ id: "a" })).secret.title).toBe("T");
  expect(await refusalOf(plain.getSecret({ id: "nope" }))).toEqual({
    code: "notfound",
    description: "Secret not found: nope",
  });
});
