import { describe, expect, test } from "vitest";
import { startWithAccounts } from "../../../test/directory/accounts.ts";
import { cradleProbe, keyWith, recordingLogger, refusalOf, START, startEngine } from "../../../test/engine.ts";
import { shared } from "../../../test/shared.ts";
import { memoryStorage } from "../../memory/memory-storage.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { activityCollection } from "../activity/collection.ts";
import { apiKeyCollection } from "./collection.ts";
import { hashApiKey } from "./rules.ts";

async function setUp() {
  const probe = cradleProbe();
  const engine = await startEngine({ plugins: [probe.plugin] });
  const { storage } = probe.cradle();
  return {
    ...engine,
    stored: (id: string) => storage.read((tx) => tx.collection(apiKeyCollection).get(id)),
    activity: () => storage.read((tx) => tx.collection(activityCollection).list()),
    [Symbol.asyncDispose]: () => engine.stop(),
  };
}

describe("the first start", () => {
  test("creates one administrator key and prints it once", async () => {
    await using at = await setUp();
    expect(at.report.administratorKey).toBe("administrator0123456789abc");
    const { rows } = await at.as({ apiKey: "administrator0123456789abc" }).getApiKeys();
    expect(rows).toMatchObject([{ title: "Administrator", privileges: { admin: true }, username: "system" }]);
  });

  test("creates a random key of 24 characters when none is given", async () => {
    await using engine = await startEngine({ administratorKey: undefined });
    expect(engine.report.administratorKey).toMatch(/^[A-Za-z0-9]{24}$/);
  });

  test("refuses a given key that is too short", async () => {
    await expect(startEngine({ administratorKey: "short" })).rejects.toThrow(
      "An API key needs at least 24 characters.",
    );
  });

  test("is the only one that creates a key, also when all keys were deleted", async () => {
    const storage = { ...memoryStorage({ clock: fakeClock(START) }), close: async () => undefined };
    const first = await startEngine({ storage });
    const [key] = (await first.api.getApiKeys()).rows;
    await first.api.deleteApiKey({ id: key?.id ?? "" });
    await first.stop();
    await using second = await startEngine({ storage });
    expect(second.report).toEqual({});
    expect((await second.api.getApiKeys()).rows).toEqual([]);
  });
});

describe("create_api_key", () => {
  test("shows the plain key once and stores its hash", async () => {
    await using at = await setUp();
    const { api_key, plain_key } = await at.api.createApiKey({ title: "CI" });
    expect(plain_key).toMatch(/^[A-Za-z0-9]{24}$/);
    expect(api_key).toEqual({
      id: expect.stringMatching(/^k[a-z0-9]{15}$/),
      title: "CI",
      description: "",
      active: 1,
      privileges: {},
      key: hashApiKey(plain_key, api_key.id),
      mask: `${plain_key.slice(0, 4)}********${plain_key.slice(-4)}`,
      username: "system",
      created: START,
      modified: START,
      revision: 1,
    });
    const stored = await at.stored(api_key.id);
    expect(stored?.key).toBe(hashApiKey(plain_key, api_key.id));
    expect(JSON.stringify(stored)).not.toContain(plain_key);
  });

  test("ignores a sent id, key and mask, and honours active 0", async () => {
    await using at = await setUp();
    const sent = { title: "CI", id: "mine", key: "chosen", mask: "shown", active: 0, username: "x", revision: 7 };
    const { api_key, plain_key } = await at.api.createApiKey(sent);
    expect(api_key).toMatchObject({ active: 0, username: "system", revision: 1 });
    expect(api_key.id).not.toBe("mine");
    expect(plain_key).not.toBe("chosen");
    expect((await at.stored(api_key.id))?.key).not.toBe("chosen");
    expect(api_key.mask).not.toBe("shown");
  });

  test("keeps granted privileges only", async () => {
    await using at = await setUp();
    const privileges = { run_jobs: true, admin: false, made_up: 1 };
    expect((await at.api.createApiKey({ title: "CI", privileges })).api_key.privileges).toEqual({
      run_jobs: true,
      made_up: true,
    });
  });

  test("has a key of the configured length", async () => {
    await using engine = await startEngine({ config: { api: { key_length: 40 } } });
    expect((await engine.api.createApiKey({ title: "CI" })).plain_key).toHaveLength(40);
  });

  const unchanged = shared(setUp);
  test.each<[object, string]>([
    [{}, "Missing parameter: title"],
    [{ title: " " }, "Malformed parameter: title"],
    [{ title: "T", privileges: [] }, "Parameter is not type object: privileges"],
    [{ title: "T", privileges: { a: "yes" } }, "Malformed parameter: privileges"],
    [{ title: "T", categories: "c1" }, "Parameter is not an array: categories"],
    [{ title: "T", roles: "ops" }, "Parameter is not an array: roles"],
    [{ title: "T", groups: ["x".repeat(65)] }, "Malformed parameter: groups"],
    [{ title: "T", expires: "soon" }, "Parameter is not type number: expires"],
    [{ title: "T", max_per_sec: -1 }, "Malformed parameter: max_per_sec"],
    [{ title: "T", active: "yes" }, "Malformed parameter: active"],
  ])("refuses %j", async (input, description) => {
    const at = await unchanged();
    expect(await refusalOf(at.api.createApiKey(input as { title: string }))).toEqual({ code: "api", description });
  });
});

describe("reading, changing and deleting", () => {
  test("lists the newest first", async () => {
    await using at = await setUp();
    await at.api.createApiKey({ title: "A" });
    await at.api.createApiKey({ title: "B" });
    expect((await at.api.getApiKeys()).rows.map(({ title }) => title)).toEqual(["B", "A", "Administrator"]);
  });

  test("both show administrators the hash, and no other answer does", async () => {
    const log = recordingLogger();
    await using at = await startWithAccounts({ log, config: { api: { login_bundle: true } } });
    await at.addUser("ann", { privileges: { admin: true } });
    const told: unknown[] = [];
    at.events.on("*", (...event) => void told.push(event));
    const { api_key, plain_key } = await at.api.createApiKey({ title: "A" });
    const { id } = api_key;
    const key = hashApiKey(plain_key, id);
    expect((await at.api.getApiKey({ id })).api_key).toEqual({ ...api_key, key });
    expect((await at.api.getApiKeys()).rows[0]).toEqual({ ...api_key, key });
    const lists = await at.api.getMultiple({ lists: ["api_keys"] });
    expect(lists["api_keys"]).toContainEqual(expect.objectContaining({ id, mask: api_key.mask }));
    const { body: welcome } = await at.login("ann");
    expect(welcome.api_keys).toContainEqual(expect.objectContaining({ id, key: "REDACTED" }));
    await at.api.updateApiKey({ id, title: "B" });
    await at.api.deleteApiKey({ id });
    expect(told.length).toBeGreaterThan(2);
    const rows = await at.activity();
    expect(JSON.stringify([lists, welcome, told, rows, log.lines])).not.toContain(key);
  });

  test("show when a key was used last", async () => {
    await using at = await setUp();
    const { api_key, plain_key } = await at.api.createApiKey({ title: "A" });
    const { id } = api_key;
    expect((await at.api.getApiKey({ id })).api_key).not.toHaveProperty("last_used");
    await at.clock.advance(7);
    await at.as({ apiKey: plain_key }).getTags();
    expect((await at.api.getApiKey({ id })).api_key.last_used).toBe(START + 7);
    expect((await at.api.getApiKeys()).rows[0]).toMatchObject({ id, last_used: START + 7 });
    expect(await at.stored(id)).not.toHaveProperty("last_used");
  });

  test("treats a text with a sign as a step from the stored number", async () => {
    await using at = await setUp();
    const { id } = (await at.api.createApiKey({ title: "A", max_per_sec: 5, expires: START + 60 })).api_key;
    await at.api.updateApiKey({ id, max_per_sec: "+2", expires: "-30" });
    expect((await at.api.getApiKey({ id })).api_key).toMatchObject({ max_per_sec: 7, expires: START + 30 });
  });

  test.each([
    [{ max_per_sec: "-6" }, "Malformed parameter: max_per_sec"],
    [{ max_per_sec: -6 }, "Malformed parameter: max_per_sec"],
    [{ max_per_sec: "6" }, "Parameter is not type number: max_per_sec"],
    [{ expires: "+60" }, "Parameter is not type number: expires"],
  ])("an update with %j, which gives no valid number, is refused", async (change, description) => {
    await using at = await setUp();
    const { id } = (await at.api.createApiKey({ title: "A", max_per_sec: 5 })).api_key;
    expect(await refusalOf(at.api.updateApiKey({ id, ...change }))).toEqual({ code: "api", description });
    expect(await at.stored(id)).toMatchObject({ max_per_sec: 5, revision: 1 });
  });

  test("an update changes the stamps and cannot change the key", async () => {
    await using at = await setUp();
    const { api_key, plain_key } = await at.api.createApiKey({ title: "A", privileges: { admin: true } });
    const { id } = api_key;
    await at.clock.advance(7);
    const sent = { id, title: "B", key: "new", mask: "new", privileges: { run_jobs: 1, admin: 0 } };
    expect(await at.api.updateApiKey(sent as never)).toEqual({});
    expect((await at.api.getApiKey({ id })).api_key).toEqual({
      ...api_key,
      title: "B",
      privileges: { run_jobs: true },
      modified: START + 7,
      revision: 2,
    });
    expect((await at.stored(id))?.key).toBe(hashApiKey(plain_key, id));
  });

  test("unknown ids are refused with the contract's messages", async () => {
    await using at = await setUp();
    expect(await refusalOf(at.api.getApiKey({ id: "k0" }))).toEqual({
      code: "notfound",
      description: "Failed to locate API Key: k0",
    });
    expect(await refusalOf(at.api.updateApiKey({ id: "k0" }))).toEqual({
      code: "api_key",
      description: "Failed to update API Key: Error: Item not found",
    });
    expect(await refusalOf(at.api.deleteApiKey({ id: "k0" }))).toEqual({
      code: "api_key",
      description: "Failed to delete API Key: Error: Item not found",
    });
  });

  test("all need an administrator", async () => {
    await using at = await setUp();
    const client = at.as(keyWith(["create_tags"]));
    const calls = [
      client.getApiKeys(),
      client.getApiKey({ id: "k0" }),
      client.createApiKey({ title: "T" }),
      client.updateApiKey({ id: "k0" }),
      client.deleteApiKey({ id: "k0" }),
    ];
    for (const call of calls)
      expect(await refusalOf(call)).toEqual({
        code: "access",
        description: "You do not have the 'Administrator' privilege required to perform this action.",
      });
  });

  test("the log reports every change and contains neither key nor hash", async () => {
    await using at = await setUp();
    const { api_key, plain_key } = await at.api.createApiKey({ title: "A" });
    const { id } = api_key;
    await at.api.updateApiKey({ id, title: "B" });
    await at.api.deleteApiKey({ id });
    const rows = (await at.activity()).filter(({ action }) => action.startsWith("apikey_"));
    expect(rows.slice(1)).toMatchObject([
      { action: "apikey_create", description: "A", keywords: [id, "system"], api_key: { id, title: "A" } },
      { action: "apikey_update", api_key: { title: "B", revision: 2 } },
      { action: "apikey_delete", api_key: { title: "B" } },
    ]);
    const text = JSON.stringify(rows);
    expect(text).not.toContain(plain_key);
    expect(text).not.toContain(hashApiKey(plain_key, id));
    expect(text).not.toContain("administrator0123456789abc");
  });
});
