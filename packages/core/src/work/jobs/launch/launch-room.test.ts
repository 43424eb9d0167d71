import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fakeClock } from "../../../testing/fake-clock.ts";
import { createLaunchRoom } from "./launch-room.ts";

const START = 1_800_000_000;
const MINUTE = START / 60;

type TakeShare = (share: { minute: number; most: number }) => Promise<number>;

/** An in-memory version of what storages do: shares of a tenth for each node, and single launches at the end. */
function account(nodes: number) {
  const taken = new Map<number, number>();
  const asked: number[] = [];
  const takeShare: TakeShare = async ({ minute, most }) => {
    asked.push(minute);
    const before = taken.get(minute) ?? 0;
    const share = before >= 0.9 * most ? 1 : Math.max(1, Math.floor(most / (10 * nodes)));
    const granted = Math.max(0, Math.min(share, most - before));
    taken.set(minute, before + granted);
    return granted;
  };
  return { asked, takeShare };
}

const roomOf = (cap: number, takeShare?: TakeShare, clock = fakeClock(START)) =>
  roomUnder({ max_jobs_per_min: cap }, takeShare, clock);

function roomUnder(config: { max_jobs_per_min: number }, takeShare?: TakeShare, clock = fakeClock(START)) {
  const coordination = { nodeId: "n1", ...(takeShare && { takeShare }) };
  return createLaunchRoom({
    clock,
    config,
    storage: { coordination },
    snapshot: async () => ({ rows: [], total: 0 }),
  } as never);
}

describe("the launches of a single node", () => {
  test("are limited by the cap of each minute; impatient launches are refused above it, patient ones delayed", async () => {
    const clock = fakeClock(START);
    const room = roomOf(2, undefined, clock);
    const places = [];
    for (let count = 0; count < 5; count++) places.push((await room.take(true))?.at);
    expect(places).toEqual([undefined, undefined, START + 60, START + 60, START + 120]);
    expect(await room.take(false)).toBeUndefined();
    await clock.advance(60);
    // The postponed launches fill this minute.
    expect(await room.take(false)).toBeUndefined();
    expect((await room.take(true))?.at).toBe(START + 120);
    await clock.advance(60);
    expect(await room.take(false)).toBeUndefined();
    await clock.advance(60);
    expect(await room.take(false)).toMatchObject({ giveBack: expect.any(Function) });
  });

  test("by patient launches do not fill a later minute: a fifth stays free for impatient ones", async () => {
    const clock = fakeClock(START);
    const room = roomOf(10, undefined, clock);
    const places = [];
    for (let count = 0; count < 19; count++) places.push((await room.take(true))?.at);
    expect(places.filter((at) => at === undefined)).toHaveLength(10);
    expect(places.filter((at) => at === START + 60)).toHaveLength(8);
    expect(places.at(-1)).toBe(START + 120);
    await clock.advance(60);
    const free = [await room.take(false), await room.take(false), await room.take(false)];
    expect(free.map((place) => place !== undefined)).toEqual([true, true, false]);
  });

  test("get back the room of a launch that was rolled back", async () => {
    const room = roomOf(1);
    const place = await room.take(true);
    expect((await room.take(true))?.at).toBe(START + 60);
    place?.giveBack();
    expect(await room.take(true)).toEqual({ giveBack: expect.any(Function) });
  });
});

describe("a change of the cap while jobs are launched", () => {
  const launches = async (room: ReturnType<typeof roomOf>, count: number) => {
    const places = [];
    for (let at = 0; at < count; at++) places.push(await room.take(false));
    return places.filter(Boolean).length;
  };

  test.each([
    ["one node", undefined],
    ["several nodes", account(1).takeShare],
  ])("applies to the minute that began before it: %s", async (_, takeShare) => {
    const config = { max_jobs_per_min: 2 };
    const room = roomUnder(config, takeShare);
    expect(await launches(room, 4)).toBe(2);
    config.max_jobs_per_min = 5;
    expect(await launches(room, 9)).toBe(3);
    config.max_jobs_per_min = 4;
    expect(await launches(room, 9)).toBe(0);
    config.max_jobs_per_min = 6;
    expect(await launches(room, 9)).toBe(1);
  });

  test("lets patient launches into a minute that was full", async () => {
    const config = { max_jobs_per_min: 1 };
    const room = roomUnder(config);
    await room.take(true);
    expect((await room.take(true))?.at).toBe(START + 60);
    config.max_jobs_per_min = 2;
    expect(await room.take(true)).toEqual({ giveBack: expect.any(Function) });
    expect((await room.take(true))?.at).toBe(START + 60);
  });
});

describe("the launches of several nodes", () => {
  test("launches that come at once ask for one share", async () => {
    const { asked, takeShare } = account(1);
    const room = roomOf(100, takeShare);
    await Promise.all(Array.from({ length: 10 }, () => room.take(false)));
    expect(asked).toEqual([MINUTE]);
  });

  test("leave a fifth of later minutes to launches that cannot wait", async () => {
    const clock = fakeClock(START);
    const { takeShare } = account(2);
    const [one, two] = [roomOf(20, takeShare, clock), roomOf(20, takeShare, clock)];
    const places = [];
    for (let count = 0; count < 30; count++) places.push(await one.take(true), await two.take(true));
    expect(places.filter((place) => place?.at === START + 60)).toHaveLength(16);
    await clock.advance(60);
    const free = [];
    for (let count = 0; count < 4; count++) free.push(await one.take(false), await two.take(false));
    expect(free.filter(Boolean)).toHaveLength(4);
  });

  test("ask once about a full minute", async () => {
    const { asked, takeShare } = account(1);
    const room = roomOf(1, takeShare);
    await room.take(false);
    for (let count = 0; count < 5; count++) expect(await room.take(false)).toBeUndefined();
    expect(asked).toHaveLength(2);
  });

  test("stay below the cap in each minute, whichever node launches; nine tenths are used under full load", async () => {
    const launch = fc.record({ node: fc.nat(3), isPatient: fc.boolean(), isLost: fc.boolean(), wait: fc.nat(40) });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 60 }), fc.array(launch, { maxLength: 200 }), async (cap, launches) => {
        const clock = fakeClock(START);
        const { takeShare } = account(4);
        const nodes = Array.from({ length: 4 }, () => roomOf(cap, takeShare, clock));
        const started = new Map<number, number>();
        for (const { node, isPatient, isLost, wait } of launches) {
          if (wait > 38) await clock.advance(30);
          const place = await nodes[node]?.take(isPatient);
          if (place && isLost) place.giveBack();
          else if (place) {
            const minute = (place.at ?? clock.now()) / 60;
            started.set(Math.floor(minute), (started.get(Math.floor(minute)) ?? 0) + 1);
          }
        }
        for (const count of started.values()) expect(count).toBeLessThanOrEqual(cap);
      }),
    );
    const { takeShare } = account(4);
    const nodes = Array.from({ length: 4 }, () => roomOf(1000, takeShare));
    let count = 0;
    for (let turn = 0; turn < 10_000; turn++) if (await nodes[turn % 4]?.take(false)) count += 1;
    expect(count).toBeGreaterThanOrEqual(900);
    expect(count).toBeLessThanOrEqual(1000);
  });
});
