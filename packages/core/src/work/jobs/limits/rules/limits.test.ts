import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Limit } from "../../../../wire/entries/actions-and-limits.ts";
import { checkRuntimeLimits, limitsForRetry, mergeLimits, queueProblem, startLimits, type Usages } from "./limits.ts";

const limit = (type: string, members: Record<string, unknown> = {}): Limit => ({ enabled: true, type, ...members });
const START = 1_795_253_600;
const usages = (changes: Partial<Usages> = {}): Usages => ({
  started: START,
  logSize: 0,
  memory: undefined,
  cpu: undefined,
  ...changes,
});

describe("the limits of a job", () => {
  test("are the event's own, then the enabled ones of category and configuration", () => {
    const merged = mergeLimits([
      { limits: [limit("retry", { amount: 0 }), limit("time", { duration: 600, enabled: false })] },
      { source: "category", limits: [limit("retry", { amount: 2 }), limit("job", { amount: 1, enabled: false })] },
      { source: "universal", limits: [limit("log", { amount: 10 }), limit("")] },
    ]);
    expect(merged).toEqual([
      limit("retry", { amount: 0 }),
      limit("time", { duration: 600, enabled: false }),
      limit("retry", { amount: 2, source: "category" }),
      limit("log", { amount: 10, source: "universal" }),
    ]);
  });

  test("are copies without results of an earlier job", () => {
    const own = limit("time", { duration: 5, tags: ["slow"], date: 1, msg: "over", code: 0 });
    const [copy] = mergeLimits([{ limits: [own] }]);
    expect(copy).toEqual(limit("time", { duration: 5, tags: ["slow"] }));
    expect(copy?.["tags"]).not.toBe(own["tags"]);
  });

  test("of a retry do not include limits that are merged again", () => {
    const list = ["category", "universal", "job", "workflow"].map((source) => limit("log", { source }));
    expect(limitsForRetry([...list, limit("log")])).toEqual([limit("log", { source: "workflow" }), limit("log")]);
  });
});

describe("start limits", () => {
  const nothing = { concurrent: undefined, queue: 0, retries: 0, weight: 1, tags: undefined };
  test.each<[string, Limit[], object]>([
    ["none", [], {}],
    ["concurrency", [limit("job", { amount: 2 })], { concurrent: 2 }],
    ["numbers as text", [limit("job", { amount: "2" })], { concurrent: 2 }],
    ["concurrency 0", [limit("job", { amount: 0 })], {}],
    ["no number", [limit("job", { amount: "many" })], {}],
    ["the first of a type", [limit("job", { amount: 2 }), limit("job", { amount: 9 })], { concurrent: 2 }],
    [
      "a disabled one does not count",
      [limit("job", { amount: 2, enabled: false }), limit("job", { amount: 9 })],
      { concurrent: 9 },
    ],
    ["queue 0 before another", [limit("queue", { amount: 0 }), limit("queue", { amount: 5 })], { queue: 0 }],
    ["retry with delay", [limit("retry", { amount: 3, duration: 60 })], { retries: 3 }],
    ["weight", [limit("job", { amount: 100, weight: 4 })], { concurrent: 100, weight: 4 }],
    ["weight 0", [limit("job", { amount: 1, weight: 0 })], { concurrent: 1, weight: 0 }],
    ["weight null", [limit("job", { amount: 1, weight: null })], { concurrent: 1, weight: 1 }],
    ["no tags", [limit("tag", { amount: 0 })], { tags: 0 }],
    ["any tags", [limit("tag")], {}],
    ["tags null", [limit("tag", { amount: null })], {}],
    ["some tags", [limit("tag", { amount: 3 })], { tags: 3 }],
  ])("%s", (_name, limits, expected) => {
    expect(startLimits(limits)).toEqual({ ...nothing, ...expected });
  });

  test.each<[string, Limit[], boolean]>([
    ["a queue alone", [limit("queue", { amount: 1 })], true],
    ["a queue with a job limit", [limit("queue", { amount: 1 }), limit("job", { amount: 1 })], false],
    ["a queue with a disabled job limit", [limit("queue", { amount: 1 }), limit("job", { enabled: false })], true],
    ["an empty queue", [limit("queue", { amount: 0 })], false],
    ["an empty queue before a real one", [limit("queue", { amount: 0 }), limit("queue", { amount: 1 })], false],
    ["a disabled queue", [limit("queue", { amount: 1, enabled: false })], false],
  ])("%s is refused: %s", (_name, limits, isRefused) => {
    const text = "The 'Max Queue Limit' requires a 'Max Concurrent Jobs' limit to also be present.";
    expect(queueProblem(limits)).toBe(isRefused ? text : undefined);
  });
});

describe("runtime limits", () => {
  const at = (limits: Limit[], changes: Partial<Usages>, now = START) =>
    checkRuntimeLimits(limits, usages(changes), now);

  test.each<[string, Limit, Partial<Usages>, number, string | undefined]>([
    ["time at the limit", limit("time", { duration: 600 }), {}, 600, undefined],
    [
      "time over",
      limit("time", { duration: 600 }),
      {},
      600.1,
      "Job elapsed time has exceeded maximum limit of 10 minutes.",
    ],
    ["time 0", limit("time", { duration: 0 }), {}, 9999, undefined],
    ["time without", limit("time"), {}, 9999, undefined],
    ["log at the limit", limit("log", { amount: 1024 }), { logSize: 1024 }, 0, undefined],
    [
      "log over",
      limit("log", { amount: 1024 }),
      { logSize: 1025 },
      0,
      "Job output size has exceeded maximum limit of 1 K.",
    ],
    ["log 0", limit("log", { amount: 0 }), { logSize: 9999 }, 0, undefined],
    ["a disabled one", limit("time", { duration: 1, enabled: false }), {}, 100, undefined],
    ["one that fired", limit("time", { duration: 1, date: START }), {}, 100, undefined],
    ["another type", limit("job", { amount: 1 }), {}, 100, undefined],
  ])("%s", (_name, given, changes, seconds, msg) => {
    const { fired, limits } = at([given], changes, START + seconds);
    expect(fired?.msg).toBe(msg);
    if (msg === undefined) expect(limits).toEqual([given]);
    else expect(limits).toMatchObject([{ date: START + seconds, msg, code: 0, description: "Limit effects applied." }]);
  });

  test.each<[string, Limit, keyof Usages, string]>([
    [
      "memory",
      limit("mem", { amount: 1_048_576, duration: 30 }),
      "memory",
      "Job memory usage has exceeded maximum limit of 1 MB for 30 seconds.",
    ],
    [
      "cpu",
      limit("cpu", { amount: 150, duration: 30 }),
      "cpu",
      "Job CPU usage has exceeded maximum limit of 150% for 30 seconds.",
    ],
  ])("%s must stay over the limit for longer than its duration", (_name, given, member, msg) => {
    const amount = Number(given["amount"]);
    let limits: readonly Limit[] = [given];
    const pass = (used: number | undefined, second: number): string | undefined => {
      const result = checkRuntimeLimits(limits, usages({ [member]: used }), START + second);
      limits = result.limits;
      return result.fired?.msg;
    };
    expect(pass(amount, 0)).toBeUndefined();
    expect(limits[0]).not.toHaveProperty("when");
    expect(pass(amount + 1, 1)).toBeUndefined();
    expect(limits[0]).toMatchObject({ when: START + 1 });
    expect(pass(amount + 1, 20)).toBeUndefined();
    expect(pass(amount, 21)).toBeUndefined();
    expect(limits[0]).not.toHaveProperty("when");
    expect(pass(amount + 1, 30)).toBeUndefined();
    expect(pass(amount + 1, 60)).toBeUndefined();
    expect(pass(undefined, 61)).toBeUndefined();
    expect(pass(amount + 1, 70)).toBeUndefined();
    expect(pass(amount + 1, 100.1)).toBe(msg);
  });

  test("an overage with a time in the future, because the clock was set back, begins again", () => {
    const given = { ...limit("mem", { amount: 1, duration: 30 }), when: START + 86_400 } as Limit;
    const first = checkRuntimeLimits([given], usages({ memory: 2 }), START);
    expect(first).toMatchObject({ limits: [{ when: START }] });
    expect(checkRuntimeLimits(first.limits, usages({ memory: 2 }), START + 31).fired).toBeDefined();
  });

  test("a missing duration of memory counts as 0", () => {
    const first = at([limit("mem", { amount: 5 })], { memory: 6 });
    expect(first.fired).toBeUndefined();
    const second = checkRuntimeLimits(first.limits, usages({ memory: 6 }), START + 1);
    expect(second.fired?.msg).toBe("Job memory usage has exceeded maximum limit of 5 bytes for 0 seconds.");
  });

  test("one fires per pass, in the order time, log, memory, cpu", () => {
    let limits: readonly Limit[] = [
      limit("cpu", { amount: 1, when: START }),
      limit("mem", { amount: 1, when: START }),
      limit("log", { amount: 1 }),
      limit("time", { duration: 2 }),
      limit("time", { duration: 1 }),
    ];
    const order: number[] = [];
    for (let pass = 0; pass < 6; pass++) {
      const result = checkRuntimeLimits(limits, usages({ logSize: 9, memory: 9, cpu: 9 }), START + 10);
      limits = result.limits;
      if (result.fired) order.push(result.fired.index);
    }
    expect(order).toEqual([3, 4, 2, 1, 0]);
  });

  test("nothing to do returns the same list", () => {
    const limits = [limit("time", { duration: 60 }), limit("mem", { amount: 5 })];
    expect(at(limits, { memory: 1 }).limits).toBe(limits);
  });

  test("each fires at most once, and the given list is never changed", () => {
    const kind = fc.constantFrom("time", "log", "mem", "cpu");
    const anyLimit = fc
      .record({ type: kind, amount: fc.nat(10), duration: fc.nat(10), enabled: fc.boolean() })
      .map(({ type, ...members }): Limit => limit(type, members));
    const use = fc.record({
      logSize: fc.nat(20),
      memory: fc.option(fc.nat(20), { nil: undefined }),
      cpu: fc.nat(20),
      step: fc.nat(9),
    });
    fc.assert(
      fc.property(fc.array(anyLimit, { maxLength: 6 }), fc.array(use, { maxLength: 20 }), (given, uses) => {
        let limits: readonly Limit[] = given;
        const before = structuredClone(given);
        const fired = new Set<number>();
        let now = START;
        for (const { step, ...used } of uses) {
          now += step;
          const result = checkRuntimeLimits(limits, usages(used), now);
          if (result.fired) {
            expect(fired.has(result.fired.index)).toBe(false);
            expect(given[result.fired.index]?.enabled).toBe(true);
            fired.add(result.fired.index);
          }
          limits = result.limits;
        }
        expect(given).toEqual(before);
      }),
    );
  });
});
