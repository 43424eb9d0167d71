import { describe, expect, test } from "vitest";
import { isTaken, outdatedParts, partKey, type RingPart, readPart, strideOf } from "./minute-ring.ts";

const parts = [100, 160, 220].map((epoch, index): RingPart => ({ key: `k${index}`, epoch, bytes: 10 }));

test("a key says when a part was stored and how long it is, and sorts by time", () => {
  const key = partKey({ epoch: 1_800_000_000.7, bytes: 4711, id: "f1" });
  expect(key).toBe("minutes/001800000000-4711-f1");
  expect(readPart(key)).toEqual({ key, epoch: 1_800_000_000, bytes: 4711 });
  expect(partKey({ epoch: 999_999_999, bytes: 1, id: "z" }) < key).toBe(true);
});

test.each(["minutes/x", "minutes/001800000000-f1", "files/001800000000-1-f1", ""])("%j is no key of a part", (key) => {
  expect(readPart(key)).toBeUndefined();
});

describe("parts that are removed", () => {
  test.each([
    ["no young part that fits", { maxBytes: 30, since: 100 }, []],
    ["the old ones", { maxBytes: 30, since: 161 }, ["k0", "k1"]],
    ["the oldest of too many bytes", { maxBytes: 29, since: 0 }, ["k0"]],
    ["as many as the bound requires", { maxBytes: 10, since: 0 }, ["k0", "k1"]],
    ["the larger number of both bounds", { maxBytes: 29, since: 200 }, ["k0", "k1"]],
    ["all of them", { maxBytes: 0, since: 0 }, ["k0", "k1", "k2"]],
  ])("%s", (_name, bounds, keys) => {
    expect(outdatedParts(parts, bounds).map(({ key }) => key)).toEqual(keys);
  });
});

test.each([
  // Three servers of 19 KB per minute fit into 200 MB for two days; of a hundred, every 27th minute does.
  [3 * 19_000, 1],
  [0, 1],
  [100 * 19_000, 27],
  [5000 * 19_000, 1305],
])("with %j bytes a minute every %jth minute of a server is kept", (bytes, stride) => {
  expect(strideOf({ bytes, maxBytes: 200 * 1_048_576, hours: 48 })).toBe(stride);
});

test("one in so many minutes of each server is kept, at different times", () => {
  const minutes = Array.from({ length: 27 }, (_, minute) => 1_800_000_000 + minute * 60);
  const servers = Array.from({ length: 100 }, (_, number) => `server${number}`);
  const taken = servers.map((server) => minutes.filter((date) => isTaken({ server, date }, 27)));
  expect(new Set(taken.map(({ length }) => length))).toEqual(new Set([1]));
  expect(new Set(taken.flat()).size).toBeGreaterThan(20);
  expect(minutes.every((date) => isTaken({ server: "s1", date }, 1))).toBe(true);
});
