import { expect, test } from "vitest";
import { memoryStorage } from "../../memory/memory-storage.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { type Connected, createPresence } from "./services/presence.ts";

/** Two nodes on one store, and the messages that the first one sends. */
function setUp() {
  const clock = fakeClock();
  const { coordination, ...rest } = memoryStorage({ clock });
  const storageOf = (nodeId: string) => ({ ...rest, coordination: { ...coordination, nodeId, shared: true } });
  const here = new Set<string>();
  const told: Connected[] = [];
  const second = createPresence(
    { clock, storage: storageOf("n2") },
    { here: () => new Set(), tell: async () => undefined },
  );
  const tell = async (news: Connected): Promise<void> => {
    told.push(news);
    second.hear(news);
  };
  const first = createPresence({ clock, storage: storageOf("n1") }, { here: () => here, tell });
  return { clock, first, here, second, told };
}

test("users who come and go on one node are known on the other", async () => {
  const { first, here, second, told } = setUp();
  await first.tick();
  expect(told).toEqual([]);
  here.add("bob");
  expect([first.has("bob"), second.has("bob")]).toEqual([true, false]);
  await first.tick();
  await first.tick();
  expect(told).toEqual([{ node: "n1", users: ["bob"] }]);
  expect([second.has("bob"), second.has("ann")]).toEqual([true, false]);
  here.clear();
  await first.tick();
  expect([first.has("bob"), second.has("bob")]).toEqual([false, false]);
});

test("a node that stops reporting has no users, and a live one repeats its users", async () => {
  const { clock, first, here, second, told } = setUp();
  here.add("bob");
  for (let second = 0; second < 90; second++) {
    await first.tick();
    await clock.advance(1);
  }
  expect([told.length, second.has("bob")]).toEqual([3, true]);
  await clock.advance(80);
  expect(second.has("bob")).toBe(false);
});

test("names of more users than one message holds are left out", async () => {
  const { first, here, told } = setUp();
  for (let at = 0; at < 150; at++) here.add(`${"person".repeat(10)}${at + 100}`);
  await first.tick();
  const [news] = told;
  expect(news?.users).toHaveLength(100);
  expect(JSON.stringify(news).length).toBeLessThan(7000);
});
