import { describe, expect, test } from "vitest";
import { useFleets } from "../../../../../test/fleet/fleet.ts";
import { invocationCollection } from "../../collection.ts";
import type { Invocation } from "../../model.ts";
import { earlierOn } from "./flapping.ts";

const start = useFleets();
const NOW = 1_800_000_000;
const DAY = 86_400;
const PLACES = ["s1", "s2", "s3"];

const invocation = (server: string, index: number, date: number): Invocation => ({
  ...{ id: `${server}-${index}`, alert: "hot", server, date, modified: date, active: false, tickets: [], exp: "true" },
  ...{ message: "m", severity: "warning", count: 1, notified: true, groups: [], jobs: [] },
});

/** The ids that each place gets when all are asked together, and when each is asked alone. */
async function readBoth(perPlace: number) {
  const { storage } = await start();
  const dates = Array.from({ length: perPlace }, (_unused, index) => NOW - index * 60);
  const old = NOW - 2 * DAY;
  return storage.write(async (tx) => {
    for (const place of PLACES)
      await tx
        .collection(invocationCollection)
        .insertMany([...dates, old, old - 1].map((date, index) => invocation(place, index, date)));
    const together = await earlierOn(tx, PLACES, NOW - 5);
    const idsOf = async (earlier: typeof together, place: string) => (await earlier(place, NOW)).map(({ id }) => id);
    const both: (readonly [string[], string[]])[] = [];
    for (const place of PLACES)
      both.push([await idsOf(together, place), await idsOf(await earlierOn(tx, [place], NOW), place)]);
    return both;
  });
}

describe("firings on several places, read together, are each place's own of two days", () => {
  test.each([
    ["none", 0],
    ["a few", 3],
    ["more than one search returns", 200],
  ])("%s", async (_fact, perPlace) => {
    const both = await readBoth(perPlace);
    for (const [at, [together, alone]] of both.entries()) {
      expect(together).toEqual(Array.from({ length: perPlace }, (_unused, index) => `${PLACES[at]}-${index}`));
      expect(alone).toEqual(together);
    }
  });
});
