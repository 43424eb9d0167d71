import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cradleProbe, keyWith, refusalOf, startEngine } from "../../../test/engine.ts";
import { shared } from "../../../test/shared.ts";
import { createSlowClock } from "../../../test/slow-clock.ts";
import { memoryStorage } from "../../memory/memory-storage.ts";
import type { Storage } from "../../ports/storage/storage.ts";
import { activityCollection } from "../activity/collection.ts";
import { leavesOf, MAX_KEYS, nest } from "./rules.ts";

const values = (members: Record<string, unknown>) => members as Record<string, never>;

async function setUp(storage: Storage = memoryStorage()) {
  const probe = cradleProbe();
  const engine = await startEngine({ plugins: [probe.plugin], config: { presets: false }, storage });
  const { transact, state, storage: store } = probe.cradle();
  return {
    ...engine,
    state,
    transact,
    update: (members: Record<string, unknown>) => engine.api.updateGlobalState(values(members)),
    shown: async () => (await engine.api.getGlobalState()).state,
    rows: () => store.read((tx) => tx.collection(activityCollection).list()),
    [Symbol.asyncDispose]: () => engine.stop(),
  };
}

describe("get_global_state", () => {
  test("shows administrators everything, including cursors of events", async () => {
    await using at = await setUp();
    await at.update({ alert_snooze: 5, own: { deep: { list: [1, 2] } } });
    expect(await at.shown()).toEqual({
      next_ticket_num: 1,
      scheduler: { enabled: true },
      watches: {},
      events: {},
      alert_snooze: 5,
      own: { deep: { list: [1, 2] } },
    });
  });

  test("shows others only whether the scheduler is enabled", async () => {
    await using at = await setUp();
    await at.update({ alert_snooze: 5, "scheduler.enabled": false });
    expect(await at.as(keyWith([])).getGlobalState()).toEqual({ state: { scheduler: { enabled: false } } });
  });
});

describe("update_global_state", () => {
  test("is for administrators", async () => {
    await using at = await setUp();
    expect((await refusalOf(at.as(keyWith(["edit_events"])).updateGlobalState({}))).code).toBe("access");
  });

  test("replaces all values inside with an object, and removes with null", async () => {
    await using at = await setUp();
    await at.update({ "a.b": 1, "a.c.d": "x", e: true });
    await at.update({ "a.c": { f: 2 }, e: null });
    expect(await at.shown()).toMatchObject({ a: { b: 1, c: { f: 2 } } });
    expect(at.state.get("a.c.d")).toBeUndefined();
    expect(at.state.get("e")).toBeUndefined();
    await at.update({ a: 7 });
    expect((await at.shown())["a"]).toBe(7);
    await at.update({ "a.b": 1 });
    expect((await at.shown())["a"]).toEqual({ b: 1 });
  });

  test("keeps every key of one call and writes a row for each", async () => {
    await using at = await setUp();
    const before = (await at.rows()).length;
    await at.update({ alert_snooze: 9, "x.password": "hunter2" });
    const rows = (await at.rows()).slice(before);
    expect(rows).toMatchObject([
      { action: "state_update", description: "alert_snooze", state: { alert_snooze: 9 } },
      { action: "state_update", description: "x.password" },
    ]);
    expect(JSON.stringify(rows)).not.toContain("hunter2");
  });

  const unchanged = shared(setUp);
  test.each<[Record<string, unknown>, string]>([
    [{ "a.__proto__.b": 1 }, "Naughty key detected."],
    [{ "constructor.x": 1 }, "Naughty key detected."],
    [{ a: { toString: 1 } }, "Naughty key detected."],
    [{ "a b": 1 }, "Malformed parameter: a b"],
    [{ "a..b": 1 }, "Malformed parameter: a..b"],
    [{ "": 1 }, "Malformed parameter: "],
    [{ a: { "b c": 1 } }, "Malformed parameter: a"],
    [{ "scheduler.enabled": "no" }, "Malformed parameter: scheduler.enabled"],
    [{ scheduler: false }, "Malformed parameter: scheduler"],
    [{ alert_snooze: -1 }, "Malformed parameter: alert_snooze"],
    [{ "alert_snooze.x": 1 }, "Malformed parameter: alert_snooze.x"],
    [{ watches: { servers: { s1: "soon" } } }, "Malformed parameter: watches.servers.s1"],
    [{ watches: 1 }, "Malformed parameter: watches"],
    [{ "events.e1.cursor": 1 }, "Malformed parameter: events.e1.cursor"],
    [{ a: "x".repeat(20_000) }, "Record is too large."],
    [{ a: Array.from({ length: 20_000 }, () => 1) }, "Record is too large."],
    [{ a: Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [`k${n}`, n])) }, "Record is too large."],
    [{ [Array.from({ length: 17 }, () => "a").join(".")]: 1 }, "Record is too large."],
    [{ ["a".repeat(201)]: 1 }, "Record is too large."],
    [
      Object.fromEntries(Array.from({ length: MAX_KEYS }, (_, n) => [`watches.servers.s${n}`, 1])),
      "Record is too large.",
    ],
  ])("refuses %.80j and changes nothing", async (members, description) => {
    const at = await unchanged();
    expect(await refusalOf(at.update({ fine: 1, ...members }))).toEqual({ code: "api", description });
    expect(await at.shown()).toEqual({ scheduler: { enabled: true }, watches: {}, events: {}, next_ticket_num: 1 });
  });

  test("accepts only a bounded number of keys, watches separately", async () => {
    await using at = await setUp();
    const keys = (prefix: string, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`${prefix}${n}`, 1]));
    await at.update(keys("k", MAX_KEYS));
    expect((await refusalOf(at.update({ more: 1 }))).description).toBe("Record is too large.");
    await at.update(keys("watches.servers.s", 10));
    expect(at.state.below("watches.servers").size).toBe(10);
  });
});

describe("the service", () => {
  test("finds the values below a prefix, and sees every change", async () => {
    await using at = await setUp();
    expect(at.state.below("watches.servers").size).toBe(0);
    await at.transact(({ tx }) => at.state.set(tx, "watches.servers.s1", 10));
    await at.transact(({ tx }) => at.state.set(tx, "watches.serversx.s2", 11));
    expect([...at.state.below("watches.servers")]).toEqual([["s1", 10]]);
    await at.transact(({ tx }) => at.state.set(tx, "watches.servers.s1", 12));
    expect(at.state.below("watches.servers").get("s1")).toBe(12);
    await at.transact(async ({ tx }) => {
      expect(await at.state.read(tx, "watches.servers.s1")).toBe(12);
      await at.state.set(tx, "watches.servers.s1", undefined);
    });
    expect(at.state.below("watches.servers").size).toBe(0);
  });

  test("outlives the engine", async () => {
    const storage = memoryStorage();
    await using first = await setUp({ ...storage, close: async () => undefined });
    await first.update({ alert_snooze: 42 });
    await first.stop();
    await using second = await setUp(storage);
    expect(second.state.get("alert_snooze")).toBe(42);
  });
});

test("splitting a tree and nesting it again gives the same tree", async () => {
  const name = fc.stringMatching(/^[a-z]\w{0,5}$/);
  const leaf = fc.oneof(fc.integer(), fc.boolean(), fc.string(), fc.array(fc.integer(), { minLength: 1 }));
  const tree = fc.letrec((tie) => ({
    tree: fc.dictionary(
      name.filter((word) => !["scheduler", "alert_snooze", "watches", "events"].includes(word)),
      fc.oneof({ depthSize: "small" }, leaf, tie("tree")),
      { minKeys: 1, maxKeys: 4 },
    ),
  })).tree;
  await fc.assert(
    fc.property(tree, (value) => {
      const leaves = leavesOf("root", value);
      expect("kind" in leaves ? leaves : nest(leaves)).toEqual({ root: value });
    }),
  );
});

test("many keys yield to the loop", async () => {
  const { clock, turnsOf } = createSlowClock();
  const engine = await startEngine({ clock, config: { presets: false } });
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`k${n}`, n]));
  expect(await turnsOf(() => engine.api.updateGlobalState(values(many)))).toBeGreaterThanOrEqual(100);
  expect((await engine.api.getGlobalState()).state).toMatchObject(many);
  await engine.stop();
});
