import { describe, expect, test } from "vitest";
import { setUpSecrets } from "../../../../test/directory/secret-setup.ts";
import { keyWith, refusalOf, START } from "../../../../test/engine.ts";
import { createSlowClock } from "../../../../test/slow-clock.ts";
import { eventCollection } from "../../../work/events/collection.ts";
import type { Event } from "../../../work/events/model.ts";
import { applyDeferred } from "../../../work/jobs/finish/deferred.ts";
import type { ActiveJob } from "../../../work/jobs/model.ts";

const lists = { events: ["x", "y"], categories: ["x", "y"], plugins: ["x", "y"], web_hooks: ["x", "y"] };

async function setUp() {
  const at = await setUpSecrets();
  await at.api.createSecret({ id: "a", title: "A", ...lists });
  await at.api.createSecret({ id: "b", title: "B", web_hooks: ["y"] });
  await at.api.createWebHook({ id: "x", title: "W", url: "https://example.com/", method: "POST" });
  await at.clock.advance(60);
  return at;
}

describe("a deleted object", () => {
  test("is removed from the lists of its kind, in one transaction with the deletion", async () => {
    await using at = await setUp();
    await at.as(keyWith(["delete_web_hooks"])).deleteWebHook({ id: "x" });
    const { rows } = await at.api.getSecrets();
    expect(rows).toMatchObject([
      { id: "a", ...lists, web_hooks: ["y"], modified: START + 60, revision: 2 },
      { id: "b", web_hooks: ["y"], modified: START, revision: 1 },
    ]);
  });

  test("leaves a row by the system for each secret that named it, and the change is emitted", async () => {
    await using at = await setUp();
    const told: string[] = [];
    at.events.on("secret.updated", ({ id }) => void told.push(id));
    await at.as(keyWith(["delete_web_hooks"])).deleteWebHook({ id: "x" });
    expect(await at.activity("secret_update")).toMatchObject([
      { username: "system", description: "A", secret: { id: "a", web_hooks: ["y"] } },
    ]);
    expect(told).toEqual(["a"]);
  });

  test("an object whose deletion is refused keeps its secrets", async () => {
    await using at = await setUp();
    expect(await refusalOf(at.api.deleteEvent({ id: "x" }))).toMatchObject({ code: "event" });
    expect((await at.api.getSecret({ id: "a" })).secret).toMatchObject({ events: ["x", "y"], revision: 1 });
    expect(await at.activity("secret_update")).toEqual([]);
  });

  test("is removed from the list of categories", async () => {
    await using at = await setUp();
    await at.api.createCategory({ id: "x", title: "C" });
    await at.api.deleteCategory({ id: "x" });
    expect((await at.api.getSecret({ id: "a" })).secret).toMatchObject({ ...lists, categories: ["y"] });
  });

  test("is removed from the list of events, also when a job deletes its own event", async () => {
    await using at = await setUp();
    const event = { id: "x", title: "E" } as Event;
    await at.transact(({ tx }) => tx.collection(eventCollection).insert(event));
    await at.api.deleteEvent({ id: "x" });
    expect((await at.api.getSecret({ id: "a" })).secret).toMatchObject({ ...lists, events: ["y"] });
    const job = { id: "j1", event: "y", delete_event: true };
    await at.transact(async (unit) => {
      await unit.tx.collection(eventCollection).insert({ ...event, id: "y" });
      await applyDeferred(at.cradle, unit, { id: "j1", job, details: {} } as unknown as ActiveJob);
    });
    expect((await at.api.getSecret({ id: "a" })).secret).toMatchObject({ ...lists, events: [] });
    expect(await at.activity("secret_update")).toHaveLength(2);
  });

  test("does not pass its secret on to a new object with the same id", async () => {
    await using at = await setUp();
    await at.api.deleteWebHook({ id: "x" });
    await at.api.createWebHook({ id: "x", title: "Other", url: "https://example.net/", method: "POST" });
    expect(at.cradle.vault.assigned("web_hooks", "x")).toEqual([]);
    expect(at.cradle.vault.assigned("events", "x").map(({ id }) => id)).toEqual(["a"]);
  });

  test("is removed from many secrets while yielding to the loop", async () => {
    const { clock, turnsOf } = createSlowClock();
    await using at = await setUpSecrets({ clock });
    await at.api.createWebHook({ id: "x", title: "W", url: "https://example.com/", method: "POST" });
    for (let n = 0; n < 40; n++) await at.api.createSecret({ id: `s${n}`, title: "S", web_hooks: ["x"] });
    expect(await turnsOf(() => at.api.deleteWebHook({ id: "x" }))).toBeGreaterThanOrEqual(40);
    expect(at.cradle.vault.assigned("web_hooks", "x")).toEqual([]);
  });
});
