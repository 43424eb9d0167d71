import { fakeClock } from "@signalbox/core/testing";
import { describe, expect, test } from "vitest";
import { type Arriving, createBodyPool } from "../src/body/body-pool.ts";

const busy = expect.objectContaining({ code: "api", reason: "unavailable" });

/** A body whose sender the test controls. */
function sender() {
  const state = { bytes: 0, isWaitingForUs: false, isEnded: false };
  const arriving: Arriving = {
    received: () => state.bytes,
    isWaitingForUs: () => state.isWaitingForUs,
    end: () => {
      state.isEnded = true;
    },
  };
  return { state, arriving };
}

function setUp() {
  const clock = fakeClock();
  return { clock, pool: createBodyPool(clock, { short: 100, long: 1000 }) };
}

describe("time limits of bodies", () => {
  test("a request without a byte for 60 seconds is ended, however much came before", async () => {
    const { clock, pool } = setUp();
    const { state, arriving } = sender();
    pool.takeShort(0, arriving);
    await clock.advance(1);
    state.bytes = 1_000_000;
    await clock.advance(60);
    expect(state.isEnded).toBe(false);
    await clock.advance(2);
    expect(state.isEnded).toBe(true);
  });

  test("a body slower than a kilobyte a second is ended half a minute later, and a faster one continues", async () => {
    const { clock, pool } = setUp();
    const [slow, fast] = [sender(), sender()];
    pool.takeShort(0, slow.arriving);
    pool.takeShort(0, fast.arriving);
    for (let second = 0; second < 120; second++) {
      slow.state.bytes += 500;
      fast.state.bytes += 1100;
      await clock.advance(1);
    }
    expect([slow.state.isEnded, fast.state.isEnded]).toEqual([true, false]);
  });

  test("time in which bytes wait for the engine does not count", async () => {
    const { clock, pool } = setUp();
    const { state, arriving } = sender();
    pool.takeShort(0, arriving);
    state.isWaitingForUs = true;
    await clock.advance(600);
    expect(state.isEnded).toBe(false);
  });

  test("a complete body is not checked any more", async () => {
    const { clock, pool } = setUp();
    const { state, arriving } = sender();
    const release = pool.takeShort(10, arriving);
    release();
    await clock.advance(600);
    expect(state.isEnded).toBe(false);
  });
});

describe("memory for bodies", () => {
  test("for short bodies is released once, and refused when there is none", () => {
    const { pool } = setUp();
    const release = pool.takeShort(60, sender().arriving);
    expect(() => pool.takeShort(60, sender().arriving)).toThrow(busy);
    release();
    release();
    pool.takeShort(100, sender().arriving);
    expect(() => pool.takeShort(1, sender().arriving)).toThrow(busy);
  });

  test("is freed by ending short bodies that have been on their way for seconds, the oldest first", async () => {
    const { clock, pool } = setUp();
    const [oldest, older, young] = [sender(), sender(), sender()];
    const release = pool.takeShort(50, oldest.arriving);
    pool.takeShort(30, older.arriving);
    await clock.advance(3);
    pool.takeShort(20, young.arriving);
    pool.takeShort(40, sender().arriving);
    expect([oldest, older, young].map(({ state }) => state.isEnded)).toEqual([true, false, false]);
    // Room that was taken away from it is not freed a second time.
    release();
    expect(() => pool.takeShort(31, young.arriving)).not.toThrow();
    expect(older.state.isEnded).toBe(true);
    expect(() => pool.takeShort(40, young.arriving)).toThrow(busy);
  });

  test("for long bodies is waited for in turn", async () => {
    const { clock, pool } = setUp();
    const first = await pool.takeLong(900, sender().arriving);
    const order: string[] = [];
    const large = pool.takeLong(800, sender().arriving).then((release) => {
      order.push("large");
      return release;
    });
    // There would be room for it, but it came later.
    const small = pool.takeLong(50, sender().arriving).then(() => order.push("small"));
    await Promise.resolve();
    expect(order).toEqual([]);
    first();
    await clock.advance(0.03);
    expect(order).toEqual([]);
    await clock.advance(0.02);
    await small;
    expect(order).toEqual(["large", "small"]);
    (await large)();
  });

  test("for long bodies is refused after half a minute, and at once when a hundred wait", async () => {
    const { clock, pool } = setUp();
    await pool.takeLong(1000, sender().arriving);
    const waiting = Array.from({ length: 100 }, () => pool.takeLong(1, sender().arriving).catch((error) => error));
    await expect(pool.takeLong(1, sender().arriving)).rejects.toThrow(busy);
    expect(() => pool.takeNow(1)).toThrow(busy);
    await clock.advance(31);
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => busy));
  });
});
