import { describe, expect, test } from "vitest";
import type { Timelines } from "../../model.ts";
import { addSample, averages, emptyTimelines } from "./timelines.ts";

const START = 1_795_253_580;
const proc = (members: Record<string, unknown> = {}) => ({
  pid: 1,
  cpu: 2,
  memRss: 3,
  command: "sleep 2",
  disk: 0,
  net: 0,
  user: "root",
  ...members,
});
const many = (count: number, members: Record<string, unknown> = {}) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [String(index), proc(members)]));

function sampled(seconds: number, procs = many(1), every = 1): Timelines {
  let lines = emptyTimelines;
  for (let second = 0; second < seconds; second += every) lines = addSample(lines, procs, [], START + second);
  return lines;
}

describe("samples of processes", () => {
  test("are brief each second and complete once a minute", () => {
    const lines = addSample(emptyTimelines, { 1: proc() }, [{ pid: 1 }], START + 5.5);
    expect(lines).toEqual({
      second: [{ epoch: START + 5.5, procs: { 1: { cpu: 2, memRss: 3, command: "sleep 2", disk: 0, net: 0 } } }],
      minute: [{ epoch: START, procs: { 1: proc() }, conns: [{ pid: 1 }] }],
    });
  });

  test.each([
    [59, 59, 1],
    [60, 60, 1],
    [61, 61, 2],
    [400, 300, 7],
  ])("of %d seconds are %d seconds and %d minutes", (seconds, second, minute) => {
    const lines = sampled(seconds);
    expect([lines.second.length, lines.minute.length]).toEqual([second, minute]);
  });

  test("of two days are reduced to the last 1440 minutes", () => {
    const lines = sampled(2 * 86_400, many(1), 60);
    expect(lines.minute.length).toBe(1440);
    expect(lines.minute[0]?.epoch).toBe(START + 86_400);
  });

  test("a clock that steps back adds no minute twice", () => {
    const lines = addSample(sampled(61), many(1), [], START + 1);
    expect(lines.minute.map(({ epoch }) => epoch)).toEqual([START, START + 60]);
  });
});

describe("the size of samples", () => {
  const entries = (line: Timelines["second"]): number =>
    line.reduce((sum, { procs, conns = [] }) => sum + Object.keys(procs).length + conns.length, 0);

  test("is bounded for a job with a thousand processes", () => {
    const lines = sampled(3600, many(1000), 30);
    expect(entries(lines.second)).toBeLessThanOrEqual(20_000);
    expect(entries(lines.minute)).toBeLessThanOrEqual(20_000);
    expect(lines.second.at(-1)?.epoch).toBe(START + 3570);
  });

  test("connections count as well", () => {
    let lines = emptyTimelines;
    const conns = Array.from({ length: 1000 }, () => ({}));
    for (let minute = 0; minute < 60; minute++) lines = addSample(lines, {}, conns, START + minute * 60);
    expect(lines.minute.length).toBe(20);
  });

  test("always includes the newest sample, however large", () => {
    expect(addSample(sampled(10), many(30_000), [], START + 11).second).toHaveLength(1);
  });

  test("a command of any length is cut in the seconds", () => {
    const lines = addSample(emptyTimelines, many(1, { command: "x".repeat(100_000) }), [], START);
    expect(String(lines.second[0]?.procs["0"]?.["command"])).toHaveLength(1000);
  });
});

describe("averages", () => {
  const line = (...minutes: Record<string, Record<string, unknown>>[]): Timelines => ({
    second: [],
    minute: minutes.map((procs, index) => ({ epoch: START + index * 60, procs })),
  });
  test.each<[string, Timelines, number[]]>([
    ["nothing", emptyTimelines, [0, 0, 0, 0]],
    ["one minute", line({ 1: { disk: 500, net: 7 } }), [0, 0, 7, 1]],
    ["growth of one process", line({ 1: { disk: 0, net: 1 } }, { 1: { disk: 600, net: 3 } }), [10, 1, 4, 2]],
    ["a new process", line({ 1: { disk: 0 } }, { 2: { disk: 600 } }), [0, 1, 0, 2]],
    ["a counter that fell back", line({ 1: { disk: 600 } }, { 1: { disk: 0 } }), [0, 1, 0, 2]],
    ["no numbers", line({ 1: { disk: "x", net: Number.NaN } }, { 1: { disk: {}, net: null } }), [0, 1, 0, 2]],
  ])("of %s", (_name, lines, [disk, diskCount, net, netCount]) => {
    expect(averages(lines)).toEqual({ disk: { total: disk, count: diskCount }, net: { total: net, count: netCount } });
  });
});
