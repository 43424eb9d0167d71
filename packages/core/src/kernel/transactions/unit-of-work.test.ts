import { describe, expect, test } from "vitest";
import { cradleProbe, startEngine } from "../../../test/engine.ts";
import { activityCollection } from "../../directory/activity/collection.ts";
import { tagCollection } from "../../directory/tags/collection.ts";
import { ConflictError, DomainError } from "../errors/errors.ts";

const tag = (id: string, title = id) => ({ id, title, username: "u", created: 1, modified: 1, revision: 1 });

async function setUp() {
  const probe = cradleProbe();
  const engine = await startEngine({ plugins: [probe.plugin] });
  const seen: string[] = [];
  engine.events.on("*", (type, payload) => void seen.push(`${String(type)} ${JSON.stringify(payload)}`));
  return { engine, seen, ...probe.cradle(), cradle: probe.cradle(), [Symbol.asyncDispose]: () => engine.stop() };
}
const activities = (at: Awaited<ReturnType<typeof setUp>>) =>
  at.cradle.storage.read(async (tx) => (await tx.collection(activityCollection).list()).map(({ action }) => action));

describe("a transaction that commits", () => {
  test("emits its events afterwards, in order, then the changed definitions", async () => {
    await using at = await setUp();
    await at.cradle.transact(async ({ tx, emit }) => {
      emit("tag.created", { id: "a" });
      await tx.collection(tagCollection).insert(tag("a"));
      emit("tag.updated", { id: "a" });
      expect(at.seen).toEqual([]);
    });
    expect(at.seen).toEqual([
      'tag.created {"id":"a"}',
      'tag.updated {"id":"a"}',
      'definitions.changed {"collection":"tags","ids":["a"]}',
    ]);
  });

  test("has its definitions in memory when listeners are called", async () => {
    await using at = await setUp();
    let title: string | undefined;
    at.engine.events.on("tag.created", ({ id }) => {
      title = at.cradle.definitions.get(tagCollection, id)?.title;
    });
    await at.cradle.transact(async ({ tx, emit }) => {
      emit("tag.created", { id: "a" });
      await tx.collection(tagCollection).insert(tag("a", "Title"));
    });
    expect(title).toBe("Title");
  });

  test("writes its audit rows with the acting key", async () => {
    await using at = await setUp();
    const actor = { kind: "key", id: "k1", title: "K", privileges: {}, categories: [], groups: [] } as const;
    await at.cradle.transact(async ({ audit }) => audit("tag_create", { tag: tag("a") }), { actor });
    const rows = await at.cradle.storage.read((tx) => tx.collection(activityCollection).list());
    expect(rows.at(-1)).toMatchObject({ action: "tag_create", username: "k1", keywords: ["a", "k1"] });
  });
});

describe("a transaction that fails", () => {
  test("leaves no event, no definition, no audit row and no work", async () => {
    await using at = await setUp();
    const [before, work] = [await activities(at), await at.cradle.storage.work.stats()];
    await expect(
      at.cradle.transact(async ({ tx, emit, audit }) => {
        await tx.collection(tagCollection).insert(tag("a"));
        await tx.enqueue("test.work", {});
        emit("tag.created", { id: "a" });
        audit("tag_create", { tag: tag("a") });
        throw new Error("no");
      }),
    ).rejects.toThrow("no");
    expect(at.seen).toEqual([]);
    expect(at.cradle.definitions.get(tagCollection, "a")).toBeUndefined();
    expect(await activities(at)).toEqual(before);
    expect(await at.cradle.storage.work.stats()).toEqual(work);
  });

  test("is retried after a lost race, without the effects of the lost attempts", async () => {
    await using at = await setUp();
    let attempts = 0;
    const result = await at.cradle.transact(async ({ tx, emit, audit }) => {
      attempts++;
      emit("tag.created", { id: `a${attempts}` });
      audit(`attempt_${attempts}`, {});
      await tx.collection(tagCollection).insert(tag(`a${attempts}`));
      if (attempts < 3) throw new ConflictError("raced");
      return attempts;
    });
    expect(result).toBe(3);
    expect(at.seen).toEqual([
      expect.stringMatching(/^activity\.logged /),
      'tag.created {"id":"a3"}',
      'definitions.changed {"collection":"tags","ids":["a3"]}',
    ]);
    expect((await activities(at)).filter((action) => action.startsWith("attempt"))).toEqual(["attempt_3"]);
    expect(at.cradle.definitions.get(tagCollection, "a1")).toBeUndefined();
  });

  test("gives up after three lost races", async () => {
    await using at = await setUp();
    let attempts = 0;
    const lost = at.cradle.transact(async () => {
      attempts++;
      throw new ConflictError("raced");
    });
    await expect(lost).rejects.toThrow(DomainError);
    await expect(lost).rejects.toMatchObject({
      code: "db",
      description: "The record is changing too fast; try again.",
    });
    expect(attempts).toBe(3);
  });

  test("is not retried for any other error", async () => {
    await using at = await setUp();
    let attempts = 0;
    await expect(
      at.cradle.transact(async () => {
        attempts++;
        throw new Error("other");
      }),
    ).rejects.toThrow("other");
    expect(attempts).toBe(1);
  });
});

test("a snapshot reads definitions from memory", async () => {
  await using at = await setUp();
  await at.engine.api.createTag({ id: "a", title: "A" });
  const held = at.cradle.definitions.get(tagCollection, "a");
  expect(await at.cradle.snapshot((tx) => tx.collection(tagCollection).get("a"))).toBe(held);
});
