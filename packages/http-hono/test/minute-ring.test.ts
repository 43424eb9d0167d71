import { memoryBlobStore } from "@signalbox/core";
import type { Cradle, Plugin } from "@signalbox/core/plugin";
import { describe, expect, test } from "vitest";
import { openEngine } from "./boxes/fleet-engine.ts";
import { ONE_STORAGE } from "./open-storage.ts";
import { untilOf } from "./until.ts";

type Options = Parameters<typeof openEngine>[1];

const config = { tz: "UTC", minute_ring_bytes: 2e8 } as never;

/** Seconds between writes of collected minutes. */
const FLUSHED_SEC = 60;

/** An engine with servers that report, and the ring of their minutes. */
async function open(name: string, options: Options = {}) {
  const held: { cradle?: Pick<Cradle, "monitors"> } = {};
  const look: Plugin = {
    id: "test.look",
    start: async (cradle) => {
      held.cradle = cradle;
    },
  };
  const at = await openEngine(name, { ...options, plugins: [look] });
  const { agent, clock, engine, next } = at;
  const servers = new Map<string, Awaited<ReturnType<typeof agent.connect>>>();
  return {
    ...at,
    until: untilOf(clock),
    /** Loops only run in the last seconds of the minute, unless it is a `whole` one. */
    async minute(id: string, data: Record<string, unknown>, { whole = false } = {}) {
      if (!servers.has(id)) servers.set(id, await agent.connect({ hostname: `${id}.example.internal`, id }));
      const due = Math.floor(clock.now() / 60) * 60 + 61;
      if (!whole) clock.step(Math.max(0, due - 2 - clock.now()));
      await clock.advanceTo(due);
      const stored = next("server.minute");
      servers.get(id)?.send("monitor", { version: "1.0", date: clock.now(), data });
      await stored;
    },
    parts: () => engine.blobs.list("minutes/", { limit: 1000 }),
    async read(server: string, from = 0, to = Number.MAX_SAFE_INTEGER) {
      const found: unknown[] = [];
      for await (const record of held.cradle?.monitors.ring.read({ server, from, to }) ?? []) found.push(record);
      return found as { date: number; data: Record<string, unknown> }[];
    },
    ring: () => (held.cradle as Pick<Cradle, "monitors">).monitors.ring,
  };
}

describe.each(ONE_STORAGE)("full minutes, beside %s", (name) => {
  test("are kept unchanged for each server, and read by time", async () => {
    const at = await open(name, { blobs: memoryBlobStore(), config });
    await at.minute("s1", { temp: 1, deep: { list: [1, { two: "zwei\nZeilen" }] } });
    await at.minute("s2", { temp: 9 });
    await at.minute("s1", { temp: 2 });
    const between = at.clock.now();
    await at.minute("s1", { temp: 3 });
    await at.clock.advance(FLUSHED_SEC);
    await at.until(async () => (await at.read("s1")).length === 3);
    const all = await at.read("s1");
    expect(all[0]).toMatchObject({
      ...{ id: "s1", hostname: "s1.example.internal", version: "1.0", groups: expect.any(Array) },
      data: { temp: 1, deep: { list: [1, { two: "zwei\nZeilen" }] }, monitors: expect.any(Object) },
    });
    expect(all.map(({ data }) => data["temp"])).toEqual([1, 2, 3]);
    expect((await at.read("s1", between)).map(({ data }) => data["temp"])).toEqual([2, 3]);
    expect((await at.read("s1", 0, between)).map(({ data }) => data["temp"])).toEqual([1]);
    expect((await at.read("s2")).map(({ data }) => data["temp"])).toEqual([9]);
  });

  test("are not kept in memory without a blob store", async () => {
    const at = await open(name);
    await at.minute("s1", { temp: 1 });
    await at.ring().flush();
    // A storage in a file has a folder beside it; all others keep their blobs in memory.
    const isKept = name === "sqlite";
    expect(await at.parts()).toHaveLength(isKept ? 1 : 0);
    expect((await at.read("s1")).map(({ data }) => data["temp"])).toEqual(isKept ? [1] : []);
  });
});

// The ring only writes to the blob store, so the following tests need no other storage.
describe("the ring of full minutes", () => {
  test("is stored by a stop, and available to the next engine", async () => {
    const blobs = memoryBlobStore();
    const first = await open("memory", { blobs, config });
    await first.minute("s1", { temp: 1 });
    await first.engine.stop();
    const second = await open("memory", { blobs, config });
    expect((await second.read("s1")).map(({ data }) => data["temp"])).toEqual([1]);
  });

  test("uses no more bytes than the host allows, for the newest ones", async () => {
    const at = await open("memory", {
      blobs: memoryBlobStore(),
      config: { tz: "UTC", minute_ring_bytes: 2000 } as never,
    });
    const date = at.clock.now();
    for (let temp = 1; temp <= 6; temp++) {
      const json = JSON.stringify({ id: "s1", date, data: { temp, text: "x".repeat(500) } }, undefined, 1);
      at.ring().keep({ id: "s1", date, json: [json] });
      await at.ring().flush();
    }
    const temps = async () => (await at.read("s1")).map(({ data }) => data["temp"]);
    await at.ring().prune(date, AbortSignal.abort());
    expect(await temps()).toEqual([1, 2, 3, 4, 5, 6]);
    await at.ring().prune(date, new AbortController().signal);
    expect(await temps()).toEqual([4, 5, 6]);
  });

  test("keeps fewer minutes of each server where all of them would not fit", async () => {
    const config = { tz: "UTC", minute_ring_bytes: 3000, minute_ring_hours: 0.5 } as never;
    const at = await open("memory", { blobs: memoryBlobStore(), config });
    for (let temp = 1; temp <= 20; temp++) await at.minute("s1", { temp, text: "x".repeat(500) }, { whole: true });
    await at.ring().flush();
    const kept = (await at.read("s1")).length;
    expect(kept).toBeGreaterThan(1);
    expect(kept).toBeLessThan(8);
  });

  test("loses old parts in the loop of the leader", async () => {
    const config = { tz: "UTC", minute_ring_bytes: 1e6, minute_ring_hours: 0.1 } as never;
    const at = await open("memory", { blobs: memoryBlobStore(), config });
    await at.minute("s1", { temp: 1 });
    await at.clock.advance(FLUSHED_SEC);
    await at.until(async () => (await at.parts()).length === 1);
    await at.clock.advance(1000);
    await at.until(async () => (await at.parts()).length === 0);
  });

  test("keeps nothing when the host allows no bytes", async () => {
    const at = await open("memory", { blobs: memoryBlobStore(), config: { tz: "UTC", minute_ring_bytes: 0 } as never });
    await at.minute("s1", { temp: 1 });
    await at.clock.advance(120);
    expect(await at.parts()).toEqual([]);
  });
});
