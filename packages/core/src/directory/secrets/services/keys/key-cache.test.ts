import { describe, expect, test } from "vitest";
import { fakeClock } from "../../../../testing/fake-clock.ts";
import { createKeyCache } from "./key-cache.ts";

const MINUTE = 60;
const keyOf = (byte: number) => Buffer.alloc(32, byte);
const isWiped = (key: Buffer) => key.every((byte) => byte === 0);

function setUp() {
  const clock = fakeClock();
  return { clock, cache: createKeyCache({ clock }) };
}

describe("derived keys in memory", () => {
  test("are found by their name", () => {
    const { cache } = setUp();
    cache.put("a", "z1", keyOf(1));
    expect(cache.get("a")).toEqual(keyOf(1));
    expect(cache.get("b")).toBeUndefined();
  });

  test("are a thousand at most; the least recently used one is removed and overwritten", () => {
    const { cache } = setUp();
    const keys = Array.from({ length: 1000 }, () => keyOf(1));
    for (const [index, key] of keys.entries()) cache.put(`k${index}`, `z${index}`, key);
    cache.get("k0");
    cache.put("one more", "z", keyOf(2));
    expect(cache.size()).toBe(1000);
    expect(cache.get("k0")).toBeDefined();
    expect(cache.get("k1")).toBeUndefined();
    expect(keys.map(isWiped).filter(Boolean)).toHaveLength(1);
    expect(isWiped(keys[1] as Buffer)).toBe(true);
  });

  test("are removed after ten minutes without use", async () => {
    const { cache, clock } = setUp();
    const key = keyOf(1);
    cache.put("a", "z1", key);
    await clock.advance(10 * MINUTE - 1);
    expect(cache.get("a")).toBeDefined();
    await clock.advance(10 * MINUTE);
    expect(cache.get("a")).toBeUndefined();
    expect(isWiped(key)).toBe(true);
  });

  test("are removed after an hour however much they are used", async () => {
    const { cache, clock } = setUp();
    cache.put("a", "z1", keyOf(1));
    for (let minute = 0; minute < 59; minute += 1) {
      await clock.advance(MINUTE);
      expect(cache.get("a")).toBeDefined();
    }
    await clock.advance(MINUTE);
    expect(cache.get("a")).toBeUndefined();
  });

  test("are removed without being accessed", async () => {
    const { cache, clock } = setUp();
    const [old, young] = [keyOf(1), keyOf(2)];
    cache.put("a", "z1", old);
    await clock.advance(9 * MINUTE);
    cache.put("b", "z2", young);
    await clock.advance(MINUTE);
    cache.sweep();
    expect(cache.size()).toBe(1);
    expect(isWiped(old)).toBe(true);
    expect(isWiped(young)).toBe(false);
  });

  test("are one for each secret: a newer one replaces the older", () => {
    const { cache } = setUp();
    const old = keyOf(1);
    cache.put("a", "z1", old);
    cache.put("b", "z1", keyOf(2));
    expect(isWiped(old)).toBe(true);
    expect(cache.size()).toBe(1);
  });

  test("are removed with their secret and all at once, overwritten", () => {
    const { cache } = setUp();
    const keys = [keyOf(1), keyOf(2), keyOf(3)] as const;
    for (const [index, key] of keys.entries()) cache.put(`k${index}`, `z${index}`, key);
    cache.forget("z0");
    cache.forget("unknown");
    expect(keys.map(isWiped)).toEqual([true, false, false]);
    cache.clear();
    expect(keys.map(isWiped)).toEqual([true, true, true]);
    expect(cache.size()).toBe(0);
  });
});
