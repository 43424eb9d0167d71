import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { a, b, c, candidate } from "../../../../../test/fleet/candidates.ts";
import type { Candidate } from "../../../../fleet/servers/rules/targets.ts";
import { systemRandom } from "../../../../ports/random.ts";
import { seededRandom } from "../../../../testing/box/seeded-random.ts";
import { chooseServer, monitorOf, type Readings, serverCap } from "./targets.ts";

describe("the capacity of a server", () => {
  test.each<[unknown, unknown[], number | undefined]>([
    [undefined, [], undefined],
    [5, [2], 5],
    [0, [2], 2],
    [undefined, [7, 3, 0], 3],
    [undefined, [0, undefined, null], undefined],
    ["5", [4], 4],
    [-1, [], undefined],
    [Number.NaN, [], undefined],
  ])("its own %o and its groups' %o make %s", (own, groups, cap) => {
    expect(serverCap(own, groups)).toBe(cap);
  });
});

const readings = (
  values: Partial<Record<"load" | "memory" | "jobs" | "monitor", Record<string, number>>> = {},
): Readings => ({
  load: (id) => values.load?.[id] ?? 0,
  memory: (id) => values.memory?.[id] ?? 0,
  jobs: (id) => values.jobs?.[id] ?? 0,
  monitor: values.monitor && ((id) => values.monitor?.[id] ?? 0),
});
const three = [a, b, c];
const choose = (
  algo: string,
  values: Parameters<typeof readings>[0] = {},
  candidates: readonly Candidate[] = three,
) => {
  const choice = chooseServer(candidates, algo, { random: () => 0.999, robin: 0, readings: readings(values) });
  return choice.kind === "chosen" ? choice.server.id : choice.kind;
};

describe("the choice", () => {
  test.each<[string, Parameters<typeof readings>[0], string]>([
    ["least_cpu", { load: { a: 3, b: 1, c: 2 } }, "b"],
    ["least_cpu", { load: { a: 1, b: 1, c: 1 } }, "a"],
    ["least_cpu", { load: { a: 1, c: 1 } }, "b"],
    ["least_mem", { memory: { a: 3, b: 2, c: 1 } }, "c"],
    ["fewest_jobs", { jobs: { a: 2, b: 1, c: 1 } }, "b"],
    ["prefer_first", {}, "b"],
    ["prefer_last", {}, "a"],
    ["prefer_first_natural", {}, "a"],
    ["prefer_last_natural", {}, "c"],
    ["monitor:io", { monitor: { a: 3, b: 2, c: 1 } }, "c"],
    ["io", { monitor: { a: 3, b: 2, c: 1 } }, "c"],
    ["monitor:io", { monitor: { a: 3, b: 2 } }, "c"],
    ["monitor:io", {}, "unknown"],
    ["nonsense", {}, "unknown"],
    ["constructor", {}, "unknown"],
    ["__proto__", {}, "unknown"],
    ["toString", { monitor: { a: 1 } }, "b"],
    ["random", {}, "c"],
    ["", {}, "c"],
  ])("%s over %o is %s", (algo, values, expected) => {
    expect(choose(algo, values)).toBe(expected);
  });

  test.each(["random", "round_robin", "least_cpu", "prefer_first", "prefer_last_natural", ""])(
    "%s of an empty list is undefined",
    (algo) => {
      expect(choose(algo, {}, [])).toBe("none");
    },
  );

  test.each([
    ["random", undefined],
    ["least_cpu", undefined],
    ["", undefined],
    ["monitor:io", "io"],
    ["io", "io"],
    ["hasOwnProperty", "hasOwnProperty"],
  ])("%s reads the monitor %s", (algo, monitor) => {
    expect(monitorOf(algo)).toBe(monitor);
  });
});

describe("round robin", () => {
  const next = (candidates: readonly Candidate[], robin: number) => {
    const choice = chooseServer(candidates, "round_robin", { random: () => 0, robin, readings: readings() });
    if (choice.kind !== "chosen") throw new Error("There are candidates");
    return choice;
  };

  test.each([
    [0, "a", 1],
    [1, "b", 2],
    [2, "c", 0],
    [3, "a", 1],
    [7, "b", 2],
    [-1, "c", 0],
    [-7.5, "c", 0],
    [4_294_967_297, "c", 0],
  ])("at %d is %s, then %d", (robin, id, stored) => {
    expect(next(three, robin)).toMatchObject({ server: { id }, robin: stored });
  });

  test("gives every server the same number of turns", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.nat(20),
        fc.integer({ min: 1, max: 9 }),
        (count, first, rounds) => {
          const servers = Array.from({ length: count }, (_, index) => candidate(`s${index}`));
          const turns = new Map<string, number>();
          let robin = first;
          for (let turn = 0; turn < rounds * count; turn++) {
            const choice = next(servers, robin);
            robin = choice.robin ?? 0;
            turns.set(choice.server.id, (turns.get(choice.server.id) ?? 0) + 1);
          }
          expect([...turns.values()]).toEqual(Array.from({ length: count }, () => rounds));
        },
      ),
    );
  });
});

describe("random choice", () => {
  test.each<[string, () => number]>([
    ["a seed", seededRandom(42).fraction],
    ["the operating system", () => system.fraction()],
  ])("from %s treats all servers alike", (_name, random) => {
    const servers = Array.from({ length: 8 }, (_, index) => candidate(`s${index}`));
    const turns = new Map(servers.map(({ id }) => [id, 0]));
    const runs = 40_000;
    for (let run = 0; run < runs; run++) {
      const choice = chooseServer(servers, "random", { random, robin: 0, readings: readings() });
      if (choice.kind === "chosen") turns.set(choice.server.id, (turns.get(choice.server.id) ?? 0) + 1);
    }
    const expected = runs / servers.length;
    const chiSquare = [...turns.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    // With seven degrees of freedom, this is exceeded by chance once in ten million runs.
    expect(chiSquare).toBeLessThan(44);
  });

  test("at both ends of its range picks a server", () => {
    for (const fraction of [0, 1 - 2 ** -53])
      expect(chooseServer(three, "random", { random: () => fraction, robin: 0, readings: readings() }).kind).toBe(
        "chosen",
      );
  });
});
const system = systemRandom();
