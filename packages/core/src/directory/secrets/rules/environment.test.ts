import { describe, expect, test } from "vitest";
import { mergeEnvironment, type SecretJob, type SecretLayer, secretLayers } from "./environment.ts";

const maybe = <T>(values: readonly T[]): readonly (T | undefined)[] => [undefined, ...values];

/** All jobs that can be distinguished with two events, two categories and one plugin. */
const JOBS: readonly SecretJob[] = ["e1", "e2"].flatMap((event) =>
  maybe(["c1", "c2"]).flatMap((category) =>
    maybe(["p1"]).flatMap((plugin) =>
      [
        undefined,
        ...["e1", "e2"].flatMap((outer) => maybe(["c1", "c2"]).map((c) => ({ event: outer, category: c }))),
      ].map((workflow) => ({ event, category, plugin, workflow })),
    ),
  ),
);

/** Precedence of a place for a job, 0 = it gives no secrets; derived place by place from the table in the contract. */
function strengthOf([type, id]: SecretLayer, job: SecretJob): number {
  if (type === "plugins") return id === job.plugin ? 5 : 0;
  if (type === "categories") {
    if (id === job.category) return 4;
    return id === job.workflow?.category ? 3 : 0;
  }
  if (id === job.event) return 2;
  return id === job.workflow?.event ? 1 : 0;
}

const PLACES: readonly SecretLayer[] = [
  ["events", "e1"],
  ["events", "e2"],
  ["categories", "c1"],
  ["categories", "c2"],
  ["plugins", "p1"],
];

describe("the secrets of a job in layers", () => {
  test("are the places that apply to it, each once, weakest first, for every job of the model", () => {
    expect(JOBS).toHaveLength(84);
    for (const job of JOBS) {
      const expected = PLACES.filter((place) => strengthOf(place, job) > 0).toSorted(
        (a, b) => strengthOf(a, job) - strengthOf(b, job),
      );
      expect(secretLayers(job), JSON.stringify(job)).toEqual(expected);
    }
  });

  test("leave out ids that are empty", () => {
    expect(secretLayers({ event: "e1", category: "", plugin: "" })).toEqual([["events", "e1"]]);
  });
});

describe("the merged environment", () => {
  test("holds for every job and every assignment the value of the strongest place", () => {
    let checked = 0;
    for (const job of JOBS)
      for (let assigned = 0; assigned < 2 ** PLACES.length; assigned++) {
        const holds = (place: SecretLayer) => (assigned & (1 << PLACES.indexOf(place))) !== 0;
        const layers = secretLayers(job).map(([type, id]) => {
          const place = PLACES.find((known) => known[0] === type && known[1] === id) as SecretLayer;
          return holds(place) ? [{ name: "NAME", value: place.join() }] : [];
        });
        const best = PLACES.filter((place) => holds(place) && strengthOf(place, job) > 0)
          .toSorted((a, b) => strengthOf(b, job) - strengthOf(a, job))
          .at(0);
        expect(mergeEnvironment(layers)).toEqual(best ? { NAME: best.join() } : {});
        checked += 1;
      }
    expect(checked).toBe(84 * 32);
  });

  test("takes the later variable of a layer and keeps the other names of all layers", () => {
    const layers = [
      [
        { name: "A", value: "1" },
        { name: "A", value: "2" },
      ],
      [{ name: "B", value: "" }],
    ];
    expect(mergeEnvironment(layers)).toEqual({ A: "2", B: "" });
  });

  test("keeps names of inherited members as its own", () => {
    const merged = mergeEnvironment([[{ name: "__proto__", value: "x" }]]);
    expect(Object.keys(merged)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
  });
});
