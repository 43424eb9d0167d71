import { expect, test } from "vitest";
import { recordingLogger } from "../../../test/engine.ts";
import { parseConfig } from "../../engine/config.ts";
import { memoryStorage } from "../../memory/memory-storage.ts";
import type { Storage } from "../../ports/storage/storage.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { createNodes } from "./nodes.ts";

const START = 1_795_253_600;

/** Nodes on one storage, each with its own machine name. */
function setUp() {
  const clock = fakeClock(START);
  const storage = memoryStorage({ clock });
  const cut = new Set<string>();
  const open = (id: string, shared = true) => {
    const coordination: Storage["coordination"] = {
      ...{ ...storage.coordination, nodeId: id, shared },
      beat: (row) => (cut.has(id) ? Promise.reject(new Error("cut off")) : storage.coordination.beat(row)),
    };
    const config = parseConfig({ cluster: { host: `${id}.example.internal` } });
    return createNodes({ clock, config, log: recordingLogger(), storage: { ...storage, coordination } });
  };
  return { clock, cut, open };
}

test("live nodes send their names, addresses and loads", async () => {
  const { clock, open } = setUp();
  const [one, two] = [open("one"), open("two")];
  two.count("satellites", () => 3);
  two.count("jobs", () => 2);
  await one.begin();
  await two.begin();
  await clock.advance(2);
  expect(one.live()).toMatchObject([
    { id: "one", host: "one.example.internal", state: "up", satellites: 0, jobs: 0 },
    { id: "two", host: "two.example.internal", started: START, protocol: 1, satellites: 3, jobs: 2, lagMs: 0 },
  ]);
  expect(one.find("two")?.beatAgeMs).toBeLessThan(2000);
});

test("a node knows how long the nodes that it met have served; the row of a dead one does not count", async () => {
  const { clock, cut, open } = setUp();
  const dead = open("dead");
  await dead.begin();
  await clock.advance(10);
  const elder = open("elder");
  await elder.begin();
  cut.add("dead");
  await clock.advance(30);
  const young = open("young");
  await young.begin();
  expect(young.servedSince()).toBeUndefined();
  await clock.advance(4);
  expect([young.servedSince(), elder.servedSince()]).toEqual([START + 10, START + 40]);
});

test("a node that drains says so at once, and one that ends is forgotten", async () => {
  const { clock, open } = setUp();
  const [one, two] = [open("one"), open("two")];
  await one.begin();
  await two.begin();
  await two.setState("draining");
  await clock.advance(2);
  expect(one.find("two")?.state).toBe("draining");
  await two.end();
  await clock.advance(2);
  expect(one.live().map(({ id }) => id)).toEqual(["one"]);
  expect(one.silent()).toEqual([]);
});

test("a node without a beat for twelve seconds is silent, and learns of it when it is back", async () => {
  const { clock, cut, open } = setUp();
  const [one, two] = [open("one"), open("two")];
  const heard: boolean[] = [];
  await one.begin();
  await two.begin();
  two.onBeat(({ wasKnown }) => heard.push(wasKnown));
  await clock.advance(2);
  cut.add("two");
  await clock.advance(11);
  expect([one.silent(), two.isHeard(), two.silent()]).toEqual([[], false, []]);
  await clock.advance(3);
  expect(one.silent().map(({ id }) => id)).toEqual(["two"]);
  expect(one.live().map(({ id }) => id)).toEqual(["one"]);
  await one.forget("two");
  cut.delete("two");
  await clock.advance(2);
  expect(heard).toEqual([true, false]);
  expect(two.isHeard()).toBe(true);
});

test("no node counts as silent after the database was unavailable for all", async () => {
  const { clock, cut, open } = setUp();
  const [one, two] = [open("one"), open("two")];
  await one.begin();
  await two.begin();
  for (const id of ["one", "two"]) cut.add(id);
  await clock.advance(40);
  expect(one.silent()).toEqual([]);
  cut.delete("one");
  await clock.advance(10);
  expect(one.silent()).toEqual([]);
  await clock.advance(6);
  expect(one.silent().map(({ id }) => id)).toEqual(["two"]);
});

test("a single node on its storage has no beat, and knows itself", async () => {
  const { clock, cut, open } = setUp();
  cut.add("one");
  const one = open("one", false);
  await one.begin();
  await one.setState("draining");
  await clock.advance(60);
  expect(one.live()).toMatchObject([{ id: "one", state: "draining", beatAgeMs: 0 }]);
  expect([one.isHeard(), one.nowMs()]).toEqual([true, (START + 60) * 1000]);
  await one.end();
});

test("a bound of silence below four beats is refused", () => {
  expect(() => parseConfig({ cluster: { beat_sec: 2, silent_sec: 7 } })).toThrow(
    /cluster\.silent_sec.*at least four times/,
  );
});
