import type { Clock } from "@signalbox/core/adapter";
import { fakeClock } from "@signalbox/core/testing";
import { expect, test } from "vitest";
import { createTicks } from "./ticks.ts";

/** Ticks for one peer; counts the timers that are set. */
function setUp(start: number, earlyMs = 0) {
  const clock = fakeClock(start);
  let timers = 0;
  const counted: Clock = {
    ...clock,
    after(delayMs, task) {
      timers += 1;
      return clock.after(delayMs - earlyMs, task);
    },
  };
  const ticked: number[] = [];
  const peer = { tick: () => void ticked.push(clock.now()) };
  const peers = new Set([peer]);
  return { clock, peer, peers, ticks: createTicks(counted, peers), ticked, timers: () => timers };
}

test("peers tick at whole seconds, once in each", async () => {
  const { clock, ticks, ticked } = setUp(1_800_000_000.25);
  ticks.begin();
  ticks.begin();
  await clock.advance(3);
  expect(ticked).toEqual([1_800_000_001, 1_800_000_002, 1_800_000_003]);
});

test("a timer that fires early does not tick twice", async () => {
  const { clock, ticks, ticked } = setUp(1_800_000_000.25, 1);
  ticks.begin();
  await clock.advance(3);
  expect(ticked.map(Math.round)).toEqual([1_800_000_001, 1_800_000_002, 1_800_000_003]);
});

test("without a peer no timer is set, and the next peer starts it again", async () => {
  const { clock, peer, peers, ticks, ticked, timers } = setUp(1_800_000_000);
  await clock.advance(5);
  expect(timers()).toBe(0);
  ticks.begin();
  peers.delete(peer);
  await clock.advance(5);
  expect([timers(), ticked]).toEqual([1, []]);
  peers.add(peer);
  ticks.begin();
  await clock.advance(1);
  expect(ticked).toHaveLength(1);
  ticks[Symbol.dispose]();
  await clock.advance(5);
  expect(ticked).toHaveLength(1);
});
