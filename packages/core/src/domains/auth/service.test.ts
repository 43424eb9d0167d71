import { describe, expect, test } from "vitest";
import { keyWith, refusalOf, START, startEngine } from "../../../test/engine.ts";

type Engine = Awaited<ReturnType<typeof startEngine>>;

async function keyFor(engine: Engine, members: object = {}): Promise<{ id: string; apiKey: string }> {
  const { api_key, plain_key } = await engine.api.createApiKey({ title: "Key", ...members });
  return { id: api_key.id, apiKey: plain_key };
}
const invalid = { code: "session", description: "Invalid API Key" };

describe("a key", () => {
  test("opens what its privileges allow and nothing else", async () => {
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

  test("is not its stored hash, nor its id", async () => {
    await using engine = await startEngine();
    const { id, apiKey } = await keyFor(engine);
    const { hashApiKey } = await import("../api-keys/rules.ts");
    for (const wrong of [id, hashApiKey(apiKey, id), apiKey + id])
      expect(await refusalOf(engine.as({ apiKey: wrong }).getTags())).toEqual(invalid);
  });

  test("gives the same answers again and again, good and bad", async () => {
    await using engine = await startEngine();
    const { apiKey } = await keyFor(engine);
    for (let round = 0; round < 3; round++) {
      expect((await engine.as({ apiKey }).getTags()).list.length).toBe(2);
      expect(await refusalOf(engine.as({ apiKey: `${apiKey}x` }).getTags())).toEqual(invalid);
    }
  });

  test.each([0, false])("that is switched off with %j is disabled", async (active) => {
    await using engine = await startEngine();
    const { id, apiKey } = await keyFor(engine);
    await engine.as({ apiKey }).getTags();
    await engine.api.updateApiKey({ id, active });
    expect(await refusalOf(engine.as({ apiKey }).getTags())).toEqual({
      code: "api",
      description: "API Key is disabled",
    });
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

  test("without an end or with null never expires", async () => {
    await using engine = await startEngine();
    const { id, apiKey } = await keyFor(engine, { expires: null });
    await engine.api.updateApiKey({ id, expires: START + 5 });
    await engine.api.updateApiKey({ id, expires: null });
    await engine.clock.advance(100);
    expect((await engine.as({ apiKey }).getTags()).list.length).toBe(2);
    expect((await engine.api.getApiKey({ id })).api_key.expires).toBeNull();
  });

  test("is dead with the next request after it was deleted", async () => {
    await using engine = await startEngine();
    const { id, apiKey } = await keyFor(engine);
    await engine.as({ apiKey }).getTags();
    await engine.api.deleteApiKey({ id });
    expect(await refusalOf(engine.as({ apiKey }).getTags())).toEqual(invalid);
  });

  test("changed privileges hold with the next request", async () => {
    await using engine = await startEngine();
    const { id, apiKey } = await keyFor(engine);
    expect((await refusalOf(engine.as({ apiKey }).createTag({ title: "T" }))).code).toBe("access");
    await engine.api.updateApiKey({ id, privileges: { create_tags: true } });
    await engine.as({ apiKey }).createTag({ title: "T" });
  });

  test("restrictions do not narrow an administrator", async () => {
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

  test("of one key is not that of another", async () => {
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

describe("other credentials", () => {
  test("a session id is not known, and a key beside it counts", async () => {
    await using engine = await startEngine();
    const { apiKey } = await keyFor(engine);
    expect(await refusalOf(engine.as({ sessionId: "abc" }).getTags())).toEqual({
      code: "session",
      description: "Session has expired or is invalid.",
    });
    expect((await engine.as({ apiKey, sessionId: "abc" }).getTags()).list.length).toBe(2);
  });

  test("an actor given by the host is believed", async () => {
    await using engine = await startEngine();
    expect((await engine.as(keyWith(["create_tags"])).createTag({ title: "T" })).tag.username).toBe("ktest");
  });
});
