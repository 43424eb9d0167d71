import { expect, test } from "vitest";
import { cradleProbe, START, startEngine } from "../../../test/engine.ts";
import { tagCollection } from "../../directory/tags/collection.ts";
import { memoryStorage } from "../../memory/memory-storage.ts";
import type { Storage } from "../../ports/storage/storage.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { seedOnce } from "./seed.ts";

/** A store that outlives its engines, as a file would. */
function durable(): Storage {
  return { ...memoryStorage({ clock: fakeClock(START) }), close: async () => undefined };
}

test("defaults are written once per store: a deleted one stays deleted", async () => {
  const storage = durable();
  const first = await startEngine({ storage });
  expect((await first.api.getTags()).rows.map(({ id }) => id)).toEqual(["important", "flag"]);
  await first.api.deleteTag({ id: "flag" });
  await first.stop();
  const second = await startEngine({ storage });
  expect((await second.api.getTags()).rows.map(({ id }) => id)).toEqual(["important"]);
  await second.stop();
});

test("a seed that fails is written by the next start", async () => {
  const probe = cradleProbe();
  await using _engine = await startEngine({ plugins: [probe.plugin] });
  const cradle = probe.cradle();
  const record = { id: "seeded", title: "S", username: "admin", created: 1, modified: 1 };
  const failing = seedOnce(cradle, "test", async ({ tx }) => {
    await tx.collection(tagCollection).insert(record);
    throw new Error("power cut");
  });
  await expect(failing).rejects.toThrow("power cut");
  expect(cradle.definitions.get(tagCollection, "seeded")).toBeUndefined();
  await seedOnce(cradle, "test", ({ tx }) => tx.collection(tagCollection).insert(record));
  await seedOnce(cradle, "test", () => Promise.reject(new Error("a third time")));
  expect(cradle.definitions.get(tagCollection, "seeded")).toEqual(record);
});

test("a start of a store that has its defaults changes nothing", async () => {
  const storage = durable();
  await (await startEngine({ storage })).stop();
  await (await startEngine({ storage })).stop();
  expect(await storage.write((tx) => tx.counter("seed:tags"))).toBe(2);
});
