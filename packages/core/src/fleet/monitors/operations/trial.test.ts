import { expect, test } from "vitest";
import { type Fleet, limitedTo, useFleets } from "../../../../test/fleet/fleet.ts";
import { systemActor } from "../../../kernel/calls/context.ts";
import { definePlugin } from "../../../kernel/plugins/plugin.ts";

const start = useFleets();
const join = (fleet: Fleet, id = "s1") => fleet.agent.connect({ hostname: `host-${id}`, id });
const data = { load: [1.5], text: "used: 4096 KB", nothing: null, conns: [] };

async function withMinute(options: Parameters<typeof start>[0] = {}): Promise<Fleet> {
  const fleet = await start(options);
  await fleet.minute(await join(fleet), data);
  return fleet;
}
const trial = { server: "s1", source: "load[0]", data_type: "float" };

test.each([
  ["a number", {}, { value: 1.5, fail: false }],
  [
    "the group of a pattern",
    { source: "text", data_match: "(\\d+)", data_type: "bytes" },
    { value: 4096, fail: false },
  ],
  ["a whole match", { source: "text", data_match: "\\d{2}", data_type: "bytes" }, { value: 40, fail: false }],
  ["null, which is no failure", { source: "nothing" }, { value: 0, fail: false }],
  ["nothing", { source: "nope.there" }, { fail: true }],
  ["a source that throws", { source: "nope[0]" }, { fail: true }],
  ["nothing, whatever the pattern", { source: "nope", data_match: "undefined" }, { fail: true }],
  ["the values of the last evaluation", { source: "monitors.load_avg * 2" }, { value: 3, fail: false }],
  ["a short name", { source: "mem == memory ? 7 : 8" }, { value: 7, fail: false }],
  ["an unknown type, read like a float", { data_type: "furlongs" }, { value: 1.5, fail: false }],
])("a trial answers %s", async (_fact, change, answer) => {
  const { signalbox } = await withMinute();
  expect(await signalbox.api.testMonitor({ ...trial, ...change })).toEqual(answer);
});

test.each([
  ["no expression", { source: "1 +" }, "monitor", /^Failed to compile expression: ./],
  ["no pattern", { data_match: "(" }, "monitor", /^Failed to compile data match regular expression: ./],
  ["no such server", { server: "s9" }, "monitor", /^Failed to load server data: Error: Item not found$/],
  [
    "no match",
    { source: "text", data_match: "^(\\d)" },
    "monitor",
    /^Custom data regular expression did not match: \^\(\\d\)$/,
  ],
  ["no source", { source: undefined }, "api", /^Missing parameter: source$/],
  ["a blank source", { source: " " }, "api", /^Malformed parameter: source$/],
  ["a malformed server", { server: "a b" }, "api", /^Malformed parameter: server$/],
  ["a malformed type", { data_type: "a-b" }, "api", /^Malformed parameter: data_type$/],
])("a trial refuses %s", async (_fact, change, code, text) => {
  const { signalbox } = await withMinute();
  const call = signalbox.execute({ operation: "test_monitor", input: { ...trial, ...change }, actor: systemActor });
  await expect(call).rejects.toMatchObject({ code, description: expect.stringMatching(text) });
});

test("a trial reads the last minute of a disconnected server, and changes nothing", async () => {
  const fleet = await start();
  const server = await join(fleet);
  await fleet.minute(server, data);
  server.close();
  await fleet.settle();
  expect(await fleet.signalbox.api.testMonitor({ ...trial, source: "load[0] * 2" })).toEqual({ value: 3, fail: false });
  expect((await fleet.signalbox.api.getMonitors()).rows).toHaveLength(15);
});

test("a trial uses neither delta nor scaling", async () => {
  const { signalbox } = await withMinute();
  const sent = { ...trial, delta: true, multiply: 100, divide: 3 };
  expect(await signalbox.api.testMonitor(sent)).toEqual({ value: 1.5, fail: false });
});

test("a data type of a plugin reads trials too, and one that throws does not affect other monitors", async () => {
  const broken = definePlugin({
    id: "test.types",
    dataTypes: {
      percent: { parse: (value) => Number.parseFloat(String(value)) / 100 },
      broken: {
        parse: () => {
          throw new Error("no");
        },
      },
    },
  });
  const fleet = await start({ plugins: [broken] });
  await fleet.signalbox.api.createMonitor({ id: "odd", title: "Odd", source: "load[0]", data_type: "broken" });
  await fleet.minute(await join(fleet), data);
  const { data: record } = await fleet.signalbox.api.getServer({ id: "s1" });
  expect(record).toMatchObject({ data: { monitors: { odd: 0, load_avg: 1.5 } } });
  expect(await fleet.signalbox.api.testMonitor({ ...trial, data_type: "percent" })).toEqual({
    value: 0.015,
    fail: false,
  });
});

test("callers limited to groups may not try monitors", async () => {
  const { signalbox } = await withMinute();
  const caller = { ...limitedTo("main"), privileges: { edit_monitors: true } } as const;
  await expect(signalbox.as(caller).testMonitor(trial)).rejects.toMatchObject({
    code: "alert",
    description: "Group-limited users may not manage monitors.",
  });
});
