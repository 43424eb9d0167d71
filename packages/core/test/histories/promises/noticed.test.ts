import { expect, test } from "vitest";
import type { Recorded } from "../record.ts";
import { isNoticed } from "./noticed.ts";

const watched = [{ alert: "w", bad: [{ from: 100, to: 700 }], within: 300 }];
const fired = (members: object = {}) =>
  [{ id: "f1", alert: "w", server: "", fired: 220, ended: 760, ...members }] as unknown as Recorded["firings"];

test.each<[string, Partial<Recorded>, number]>([
  ["noticed in time", {}, 0],
  ["never noticed", { firings: [] }, 1],
  ["noticed by another alert alone", { firings: fired({ alert: "a" }) }, 1],
  [
    "too short to be noticed",
    { firings: [], watched: [{ alert: "w", bad: [{ from: 100, to: 300 }], within: 300 }] },
    0,
  ],
  ["not noticed without a leader", { firings: [], away: [{ from: 90, to: 450 }] }, 0],
  ["not noticed, although there was a leader again", { firings: [], away: [{ from: 90, to: 200 }] }, 1],
  ["fired before anything was wrong", { firings: [...fired(), ...fired({ id: "f0", fired: 40, ended: 90 })] }, 1],
  ["fired long after all was well", { firings: [...fired(), ...fired({ id: "f2", fired: 1100, ended: 1200 })] }, 1],
  ["well, and nothing fired", { firings: [], watched: [{ alert: "w", bad: [], within: 300 }] }, 0],
])("problems of watched subjects must be noticed: %s", (_title, members, count) => {
  const recorded = { watched, firings: fired(), away: [], end: 2000, ...members } as unknown as Recorded;
  expect(isNoticed(recorded)).toHaveLength(count);
});
