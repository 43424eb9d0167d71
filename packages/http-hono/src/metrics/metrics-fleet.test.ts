import { expect, test } from "vitest";
import { fleetFigures, MAX_READINGS } from "./metrics-fleet.ts";

const samplesOf = (servers: Parameters<typeof fleetFigures>[0]) =>
  fleetFigures(servers, "one").map(({ samples }) => samples);

test("each server of the node has its readings, and a counter has its change", () => {
  const info = { monitors: { load: 1.5, sent: 70_000, name: "x" }, deltas: { sent: 12 } };
  expect(
    samplesOf([
      { id: "s1", info },
      { id: "new", node: "one" },
      { id: "far", node: "two", info },
    ]),
  ).toEqual([
    [
      { labels: { server: "s1", monitor: "load" }, value: 1.5 },
      { labels: { server: "s1", monitor: "sent" }, value: 12 },
    ],
    [{ value: 0 }],
  ]);
});

test("readings beyond the bound are left out and counted", () => {
  const monitors = Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`m${index}`, index]));
  const servers = Array.from({ length: 2000 }, (_, index) => ({ id: `s${index}`, info: { monitors } }));
  const [readings, left] = samplesOf(servers);
  expect(readings).toHaveLength(MAX_READINGS);
  expect(left).toEqual([{ value: 2000 }]);
});
