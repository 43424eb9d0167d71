import { describe, expect, test } from "vitest";
import { cradleProbe, keyWith, refusalOf, START, startEngine } from "../../../test/engine.ts";
import type { HostUser } from "../../kernel/calls/context.ts";
import { memoryStorage } from "../../memory/memory-storage.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { keyUseCollection } from "./collection.ts";

type Engine = Awaited<ReturnType<typeof startEngine>>;

async function keyFor(engine: Engine, members: object = {}): Promise<{ id: string; apiKey: string }> {
  const { api_key, plain_key } = await engine.api.createApiKey({ title: "Key", ...members });
  return { id: api_key.id, apiKey: plain_key };
}
const invalid = { code: "session", description: "Invalid API Key" };

describe("a key", () => {
  test("gives access to the operations of its privileges and nothing else", async () => {
    await using engine = await startEngine();
    const { apiKey } = await keyFor(engine, { privileges: { create_tags: 1, edit_tags: 0 } });
    const { tag } = await engine.as({ apiKey }).createTag({ title: "T" });
    expect((await refusalOf(engine.as({ apiKey }).updateTag({ id: tag.id }))).code).toBe("access");
  });

  test("is the actor by its id", async () => {
    await using engine = await startEngine();
    const { id, apiKey } = await keyFor(engine, { privileges: { create_tags: true } });
    expect((await engine.as({ apiKey }).createTag({ title: "T" })).tag.username).toBe(id);
  });

  test.each(["", "x", "muJm8T6QSzqQzuO6MvbOdtlB"])("%j is invalid", async (apiKey) => {
    await using engine = await startEngine();
    expect(await refusalOf(engine.as({ apiKey }).getTags())).toEqual(invalid);
  });

  test("is case sensitive", async () => {
    await using engine = await startEngine();
    const { apiKey } = await keyFor(engine);
    const other = apiKey.replace(/[a-zA-Z]/, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    );
    expect(await refusalOf(engine.as({ apiKey: other }).getTags())).toEqual(invalid);
  });

  test("cannot be replaced by its stored hash or its id", async () => {
    await using engine = await startEngine();
    const { id, apiKey } = await keyFor(engine);
    const { hashApiKey } = await import("../api-keys/rules.ts");
    for (const wrong of [id, hashApiKey(apiKey, id), apiKey + id])
      expect(await refusalOf(engine.as({ apiKey: wrong }).getTags())).toEqual(invalid);
  });

  test("gives the same answers on each use, valid and invalid", async () => {
    await using engine = await startEngine();
    const { apiKey } = await keyFor(engine);
    for (let round = 0; round < 3; round++) {
      expect((await engine.as({ apiKey }).getTags()).list.length).toBe(2);
      expect(await refusalOf(engine.as({ apiKey: `${apiKey}x` }).getTags())).toEqual(invalid);
    }
  });

  test.each([0, false])("a key that is disabled with %j is refused", async (active) => {
    await using engine = await startEngine();
    const { id, apiKey } = await keyFor(engine);
    await engine.as({ apiKey }).getTags();
    await engine.api.updateApiKey({ id, active });
    expect(await refusalOf(engine.as({ apiKey }).getTags())).toEqual({
      code: "api",
      description: "API Key is disabled",
    });
  });

  test("is recognised among many that alternate, and after a change of its record", async () => {
    await using engine = await startEngine();
    const keys: { id: string; apiKey: string }[] = [];
    for (let count = 0; count < 6; count++) keys.push(await keyFor(engine, { privileges: { create_tags: true } }));
    const authors = async (): Promise<string[]> => {
      const found: string[] = [];
      for (const { apiKey } of [...keys, ...keys.toReversed()])
        found.push((await engine.as({ apiKey }).createTag({ title: "T" })).tag.username);
      return found;
    };
    const ids = [...keys, ...keys.toReversed()].map(({ id }) => id);
    expect(await authors()).toEqual(ids);
    for (const { id } of keys) await engine.api.updateApiKey({ id, title: "Renamed" });
    expect(await authors()).toEqual(ids);
    const [{ id, apiKey } = { id: "", apiKey: "" }] = keys;
    await engine.api.updateApiKey({ id, active: false });
    expect((await refusalOf(engine.as({ apiKey }).getTags())).description).toBe("API Key is disabled");
  });

  test("works until the second it expires", async () => {
    await using engine = await startEngine();
    const { apiKey } = await keyFor(engine, { expires: START + 10 });
    await engine.clock.advance(9.9);
    await engine.as({ apiKey }).getTags();
    await engine.clock.advance(0.1);
    expect(await refusalOf(engine.as({ apiKey }).getTags())).toEqual({
      code: "api",
      description: "API Key is expired",
    });
  });

  test("a key without an end or with null never expires", async () => {
    await using engine = await startEngine();
    const { id, apiKey } = await keyFor(engine, { expires: null });
    await engine.api.updateApiKey({ id, expires: START + 5 });
    await engine.api.updateApiKey({ id, expires: null });
    await engine.clock.advance(100);
    expect((await engine.as({ apiKey }).getTags()).list.length).toBe(2);
    expect((await engine.api.getApiKey({ id })).api_key.expires).toBeNull();
  });

  test("is refused with the next request after it was deleted", async () => {
    await using engine = await startEngine();
    const { id, apiKey } = await keyFor(engine);
    await engine.as({ apiKey }).getTags();
    await engine.api.deleteApiKey({ id });
    expect(await refusalOf(engine.as({ apiKey }).getTags())).toEqual(invalid);
  });

  test("has changed privileges with the next request", async () => {
    await using engine = await startEngine();
    const { id, apiKey } = await keyFor(engine);
    expect((await refusalOf(engine.as({ apiKey }).createTag({ title: "T" }))).code).toBe("access");
    await engine.api.updateApiKey({ id, privileges: { create_tags: true } });
    await engine.as({ apiKey }).createTag({ title: "T" });
  });

  test("with restrictions of an administrator is not restricted", async () => {
    await using engine = await startEngine();
    const { apiKey } = await keyFor(engine, { privileges: { admin: true }, categories: ["none"] });
    expect((await engine.as({ apiKey }).getCategories()).list.length).toBe(1);
    const other = await keyFor(engine, { categories: ["none"] });
    expect((await engine.as(other).getCategories()).list.length).toBe(0);
  });
});

describe("the rate of a key", () => {
  test("is counted in whole seconds, refused requests included", async () => {
    await using engine = await startEngine();
    const { apiKey } = await keyFor(engine, { max_per_sec: 2 });
    const call = () => engine.as({ apiKey }).getTags();
    await call();
    expect((await refusalOf(engine.as({ apiKey }).createTag({ title: "T" }))).code).toBe("access");
    expect(await refusalOf(call())).toEqual({ code: "rate", description: "API Key has exceeded rate limit (2/sec)" });
    await engine.clock.advance(1);
    await call();
  });

  test("is separate for each key", async () => {
    await using engine = await startEngine();
    const [one, two] = [await keyFor(engine, { max_per_sec: 1 }), await keyFor(engine, { max_per_sec: 1 })];
    await engine.as(one).getTags();
    await engine.as(two).getTags();
    expect((await refusalOf(engine.as(one).getTags())).code).toBe("rate");
  });

  test("does not count malformed requests, which never reach the key", async () => {
    await using engine = await startEngine();
    const { apiKey } = await keyFor(engine, { max_per_sec: 1 });
    for (let n = 0; n < 5; n++) await refusalOf(engine.as({ apiKey }).createTag({ title: "" }));
    await engine.as({ apiKey }).getTags();
  });
});

describe("roles", () => {
  async function setUp() {
    const engine = await startEngine();
    await engine.api.createRole({ id: "taggers", title: "Taggers", privileges: { create_tags: true } });
    return engine;
  }

  test("add to the privileges of a key, and take effect with the next request", async () => {
    await using engine = await setUp();
    const { apiKey } = await keyFor(engine, { roles: ["taggers"] });
    const create = () => engine.as({ apiKey }).createTag({ title: "T" });
    await create();
    await engine.api.updateRole({ id: "taggers", enabled: false });
    expect((await refusalOf(create())).code).toBe("access");
    await engine.api.updateRole({ id: "taggers", enabled: true });
    await create();
    await engine.api.deleteRole({ id: "taggers" });
    expect((await refusalOf(create())).code).toBe("access");
  });

  test("also apply to the host's users, who act under their own names", async () => {
    await using engine = await setUp();
    const call = (hostUser: HostUser) => engine.execute({ operation: "create_tag", input: { title: "T" }, hostUser });
    expect(await call({ id: "ann@example.com", roles: ["taggers"] })).toMatchObject({
      tag: { username: "ann@example.com" },
    });
    expect((await refusalOf(call({ id: "ann", roles: ["unknown"] }))).code).toBe("access");
  });
});

describe("a user of the host", () => {
  test.each(["", "a b", "ann\n", "<ann>", "ä", "a".repeat(129), 5, null])("cannot have the id %j", async (id) => {
    await using engine = await startEngine();
    const call = engine.execute({ operation: "get_tags", hostUser: { id } as HostUser });
    expect(await refusalOf(call)).toEqual({ code: "api", description: "Malformed host user id" });
  });

  test.each(["privileges", "roles", "categories", "groups"])("cannot have a text as %s", async (name) => {
    await using engine = await startEngine();
    const hostUser = { id: "ann", [name]: "general-x" } as HostUser;
    const call = engine.execute({ operation: "get_categories", hostUser });
    expect(await refusalOf(call)).toEqual({ code: "api", description: `Malformed host user: ${name} is no list` });
  });

  test("is limited to the categories that the host names, unless it is an administrator", async () => {
    await using engine = await startEngine();
    const list = (user: Partial<HostUser>) =>
      engine.execute({ operation: "get_categories", hostUser: { id: "ann", categories: ["none"], ...user } });
    expect(await list({})).toMatchObject({ list: { length: 0 } });
    expect(await list({ privileges: ["admin"] })).toMatchObject({ list: { length: 1 } });
  });
});

describe("the last use of a key", () => {
  test("is visible at once and stored within a minute", async () => {
    const probe = cradleProbe();
    await using engine = await startEngine({ plugins: [probe.plugin] });
    const { keyUses, storage } = probe.cradle();
    const { id, apiKey } = await keyFor(engine);
    const shown = () => storage.read(async (tx) => (await keyUses.lastUsed(tx, [id])).get(id));
    const stored = () => storage.read(async (tx) => (await tx.collection(keyUseCollection).get(id))?.last_used);
    expect(await shown()).toBeUndefined();
    await engine.clock.advance(5.5);
    await engine.as({ apiKey }).getTags();
    expect([await shown(), await stored()]).toEqual([START + 5, undefined]);
    await engine.clock.advance(60);
    expect(await stored()).toBe(START + 5);
    await engine.as({ apiKey }).getTags();
    expect(await shown()).toBe(START + 65);
    await engine.clock.advance(60);
    expect(await stored()).toBe(START + 65);
  });

  test("is saved by a stop and visible after the next start", async () => {
    const storage = { ...memoryStorage({ clock: fakeClock(START) }), close: async () => undefined };
    const first = await startEngine({ storage });
    const { id, apiKey } = await keyFor(first);
    await first.as({ apiKey }).getTags();
    await first.stop();
    const probe = cradleProbe();
    await using _second = await startEngine({ storage, plugins: [probe.plugin] });
    const times = await storage.read((tx) => probe.cradle().keyUses.lastUsed(tx, [id]));
    expect([...times]).toEqual([[id, START]]);
  });

  test("is not recorded for a refused key, and is deleted with the key", async () => {
    const probe = cradleProbe();
    await using engine = await startEngine({ plugins: [probe.plugin] });
    const { keyUses, storage } = probe.cradle();
    const { id, apiKey } = await keyFor(engine, { active: 0 });
    await refusalOf(engine.as({ apiKey }).getTags());
    const known = () => storage.read((tx) => keyUses.lastUsed(tx, [id]));
    expect(await known()).toEqual(new Map());
    await engine.api.updateApiKey({ id, active: 1 });
    await engine.as({ apiKey }).getTags();
    await keyUses.save();
    await engine.api.deleteApiKey({ id });
    await engine.clock.advance(0);
    expect(await known()).toEqual(new Map());
    expect(await storage.read((tx) => tx.collection(keyUseCollection).list())).toEqual([]);
  });
});

describe("other credentials", () => {
  test("of an actor given by the host are trusted", async () => {
    await using engine = await startEngine();
    expect((await engine.as(keyWith(["create_tags"])).createTag({ title: "T" })).tag.username).toBe("ktest");
  });
});
