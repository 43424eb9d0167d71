import { describe, expect, test } from "vitest";
import { keyWith, refusalOf, START, startEngine } from "../../../../test/engine.ts";
import { invocationCollection } from "../../../fleet/alerts/collection.ts";
import { memoryStorage } from "../../../memory/memory-storage.ts";

describe("get_multiple", () => {
  test("reads the named lists, as a list or separated by commas", async () => {
    await using engine = await startEngine();
    const plain = engine.as(keyWith([]));
    const answer = await plain.getMultiple({ lists: "tags,plugins" } as never);
    expect(Object.keys(answer).toSorted()).toEqual(["epoch", "plugins", "tags"]);
    expect(answer).toMatchObject({ epoch: START, tags: [{ id: "important" }, { id: "flag" }] });
    expect(await plain.getMultiple({ lists: ["tags"] })).toMatchObject({ tags: [{ id: "important" }, { id: "flag" }] });
  });

  test("all stands for everything the caller may see", async () => {
    await using engine = await startEngine();
    const plain = await engine.as(keyWith([])).getMultiple({ lists: ["all"] });
    expect(plain).toMatchObject({ monitors: expect.any(Array), buckets: [], secrets: [] });
    expect(plain).not.toHaveProperty("api_keys");
    const all = await engine.as(keyWith(["admin"])).getMultiple({ lists: ["all"] });
    expect(all["api_keys"]).toHaveLength(1);
    expect(JSON.stringify(all["api_keys"])).not.toContain('"key":');
  });

  test("adds running jobs, alerts and servers when asked", async () => {
    const storage = memoryStorage();
    await using engine = await startEngine({ storage });
    const firing = { id: "a9", alert: "hot", server: "s1", active: true, date: START, modified: START, tickets: [] };
    const told = { exp: "", message: "", count: 1, notified: true, groups: [], jobs: [] };
    await storage.write((tx) => tx.collection(invocationCollection).insert({ ...firing, ...told }));
    const answer = await engine.api.getMultiple({ lists: ["tags"], jobs: "1", alerts: 1, servers: true } as never);
    expect(answer).toMatchObject({ activeJobs: {}, internalJobs: {}, servers: {} });
    expect(answer["activeAlerts"]).toMatchObject({ "s1-hot": { id: "a9" } });
    expect(await engine.api.getMultiple({ lists: ["tags"], jobs: "0" } as never)).not.toHaveProperty("activeJobs");
  });

  test("adds the global state, of which only administrators see the scheduler", async () => {
    await using engine = await startEngine();
    const ask = { lists: ["tags"], state: "1" } as never;
    expect((await engine.api.getMultiple(ask))["state"]).toMatchObject({ scheduler: { enabled: true }, watches: {} });
    expect((await engine.as(keyWith([])).getMultiple(ask))["state"]).toEqual({ scheduler: { enabled: true } });
  });

  test.each([
    [{}, "Missing required request property: lists"],
    [{ lists: "" }, "Missing required request property: lists"],
    [{ lists: { a: 1 } }, "Invalid request (lists must be an array)."],
    [{ lists: ["tags", "users"] }, "One or more values are not valid lists."],
    [{ lists: ["tags", ["all"]] }, "One or more values are not valid lists."],
  ])("refuses %j", async (input, description) => {
    await using engine = await startEngine();
    expect(await refusalOf(engine.api.getMultiple(input as never))).toEqual({ code: "admin", description });
  });

  test.each([{ categories: ["c"] }, { groups: ["g"] }])("is not for a caller limited to %j", async (limits) => {
    await using engine = await startEngine();
    expect(await refusalOf(engine.as(keyWith(["edit_events"], limits)).getMultiple({ lists: ["tags"] }))).toEqual({
      code: "access",
      description: "Category or group limited users may not use this API",
    });
  });

  test("gives API keys to administrators only", async () => {
    await using engine = await startEngine();
    expect((await refusalOf(engine.as(keyWith([])).getMultiple({ lists: ["api_keys"] }))).code).toBe("access");
    expect((await refusalOf(engine.as({}).getMultiple({ lists: ["tags"] }))).code).toBe("session");
  });
});
