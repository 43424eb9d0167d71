import { describe, expect, test } from "vitest";
import { fakeClock } from "../testing/fake-clock.ts";
import { createIds } from "./ids.ts";
import { type Random, systemRandom } from "./random.ts";

const make = (clock = fakeClock(), random: Random = systemRandom()) => ({ clock, ids: createIds({ clock, random }) });

describe("short ids", () => {
  test.each(["t", "ca", "sn", ""])("ids with the prefix %j have 16 characters of one form", (prefix) => {
    const { ids } = make();
    expect(ids.short(prefix)).toMatch(new RegExp(`^${prefix}[a-z0-9]{${16 - prefix.length}}$`));
  });

  test("contain the milliseconds after the prefix", () => {
    const { ids, clock } = make();
    const stamp = (clock.now() * 1000).toString(36);
    expect(ids.short("t").slice(1, 1 + stamp.length)).toBe(stamp);
  });

  test("are unique within a millisecond and sort by creation", async () => {
    const { ids, clock } = make();
    const many = Array.from({ length: 3000 }, () => ids.short("t"));
    expect(new Set(many).size).toBe(3000);
    expect(many.toSorted()).toEqual(many);
    const sorted = many.slice(-1);
    // The clock first has to catch up.
    for (let n = 0; n < 50; n++) {
      sorted.push(ids.short("t"));
      await clock.advance(0.001);
    }
    expect(sorted.toSorted()).toEqual(sorted);
  });

  test("never run backwards when the clock does", () => {
    const { ids, clock } = make();
    const before = ids.short("t").slice(0, 9);
    clock.step(-3600);
    expect(ids.short("t").slice(0, 9) >= before).toBe(true);
  });

  test("begin at a random counter that wraps at 1296", () => {
    const random: Random = { ...systemRandom(), fraction: () => 1295 / 1296 };
    const { ids, clock } = make(fakeClock(), random);
    const counterOf = (id: string) => id.slice(1 + (clock.now() * 1000).toString(36).length).slice(0, 2);
    expect([counterOf(ids.short("t")), counterOf(ids.short("t"))]).toEqual(["00", "01"]);
  });
});

describe("tokens", () => {
  test("have their form and do not repeat", () => {
    const { ids } = make();
    expect(ids.hex()).toMatch(/^[0-9a-f]{64}$/);
    expect(ids.token()).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(ids.alphanumeric(24)).toMatch(/^[A-Za-z0-9]{24}$/);
    expect(ids.alphanumeric(0)).toBe("");
    expect(new Set(Array.from({ length: 1000 }, () => ids.token())).size).toBe(1000);
  });

  test("draw each letter equally often", () => {
    const { ids } = make();
    const counts = new Map<string, number>();
    const draws = 62 * 2000;
    for (const letter of ids.alphanumeric(draws)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    expect(counts.size).toBe(62);
    // Chi-square of 61 degrees of freedom: above 130 once in a million.
    const chi = [...counts.values()].reduce((sum, count) => sum + (count - 2000) ** 2 / 2000, 0);
    expect(chi).toBeLessThan(130);
  });

  test("reject bytes above the last whole multiple of the alphabet", () => {
    const random: Random = {
      fraction: () => 0,
      bytes: (() => {
        let call = 0;
        // 248 = 4 × 62 is the first byte that would bias the choice.
        return (size: number) => new Uint8Array(size).fill(call++ === 0 ? 248 : 61);
      })(),
    };
    expect(make(fakeClock(), random).ids.alphanumeric(3)).toBe("999");
  });
});
