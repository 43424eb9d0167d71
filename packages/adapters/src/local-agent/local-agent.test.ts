import { readFileSync } from "node:fs";
import { arch, hostname } from "node:os";
import { expect, test } from "vitest";
import { start } from "../../test/agents/timed-agent.ts";
import { localAgent } from "./index.ts";

const onLinux = process.platform === "linux";

type Json = Readonly<Record<string, unknown>>;

const captured = (name: string): Json =>
  JSON.parse(readFileSync(new URL(`./metrics/fixtures/${name}.json`, import.meta.url), "utf8"));

/** Paths of the members of a captured message, at all levels, except inside lists. */
function shapeOf(value: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => [`${path}${name}`, ...shapeOf(member, `${path}${name}.`)]);
}

test("the agent says hello, sends no proof and samples a second after it is joined", async () => {
  const { untilCommand, clock, messages } = await start({ quickEverySec: 0 });
  await untilCommand("join");
  expect(messages.map(({ cmd }) => cmd)).toEqual(["hello", "join"]);
  expect(messages[0]?.data).toMatchObject({ hostname: "web01.example.internal", id: "local" });
  expect(messages[1]?.data).toEqual({ token: "" });
  await clock.advance(1.1);
  const sample = await untilCommand("monitor");
  expect(sample.data).toMatchObject({
    version: "1.0",
    server: "s1",
    hostname: "web01.example.internal",
    date: 1_799_999_970.5,
  });
});

test("later samples come at whole minutes of the clock", async () => {
  const { next, untilCommand, clock, messages } = await start({ quickEverySec: 0 });
  await untilCommand("join");
  for (const seconds of [1.1, 29.5, 60]) {
    const sample = next("monitor");
    await clock.advance(seconds);
    await sample;
  }
  const dates = messages.filter(({ cmd }) => cmd === "monitor").map(({ data }) => data["date"]);
  expect(dates).toEqual([1_799_999_970.5, 1_800_000_000, 1_800_000_060]);
});

test("the periods are configurable", async () => {
  const { next, untilCommand, clock, messages } = await start({ minuteEverySec: 5, quickEverySec: 0 });
  await untilCommand("join");
  for (const seconds of [0.5, 0.6, 4.9]) {
    const sample = next("monitor");
    await clock.advance(seconds);
    await sample;
  }
  const dates = messages.filter(({ cmd }) => cmd === "monitor").map(({ data }) => data["date"]);
  expect(dates).toEqual([1_799_999_970, 1_799_999_970.5, 1_799_999_975]);
});

test.runIf(onLinux)("hello has the shape of a satellite's", async () => {
  const { untilCommand } = await start();
  const info = (await untilCommand("hello")).data["info"] as Json;
  const missing = shapeOf(captured("hello")["info"]).filter((name) => !shapeOf(info).includes(name));
  // Facts about the hardware that the kernel shows only to root, and features of another product.
  expect(missing.filter((name) => !/^(cpu\.|features\.dockerStats|virt\.)/.test(name))).toEqual([]);
  expect(info).toMatchObject({ arch: arch(), os: { hostname: hostname() } });
});

test.runIf(onLinux)("the first minute sample has the shape of a satellite's, its rates null", async () => {
  const { untilCommand, clock } = await start();
  await untilCommand("join");
  await clock.advance(1.1);
  const { data } = (await untilCommand("monitor")).data as { data: Json };
  const tables =
    /^(mounts|interfaces|stats\.network\.states|processes\.|metrics\.perf|commands|cpu\.(speed|governor|voltage|revision|socket|performanceCores|efficiencyCores|cache|virtualization))/;
  const shape = shapeOf(data);
  const missing = shapeOf(captured("monitor-first")["data"]).filter(
    (name) => !tables.test(name) && !shape.includes(name),
  );
  // Counters that only some kernels have.
  expect(
    missing.filter(
      (name) =>
        !/^memory\.(zswap|hugetlb|directmap|secpagetables|filehuge|filepmd|shmem|balloon|nfs_unstable|bounce|writebacktmp)/.test(
          name,
        ),
    ),
  ).toEqual([]);
  expect(data).toMatchObject({
    jobs: 0,
    stats: {
      io: { rIO_sec: null, tIO_sec: null, ms: 0 },
      fs: { rx_sec: null, ms: 0 },
      network: { rx_sec: 0, tx_sec: 0 },
    },
    cpu: { currentLoad: 0, totals: { idle: 100, active: 0 } },
    mounts: { root: { mount: "/" } },
    process: { pid: process.pid },
  });
  const own = (data["processes"] as { list: Json[] }).list.find(({ pid }) => pid === process.pid);
  expect(own).toMatchObject({ parentPid: process.ppid, threads: expect.any(Number), class: "Other" });
  expect(own?.["memRss"]).toBeGreaterThan(10_000_000);
});

test.runIf(onLinux)("the second minute sample has rates", async () => {
  const { next, untilCommand, clock } = await start({ quickEverySec: 0 });
  await untilCommand("join");
  const first = next("monitor");
  await clock.advance(1.1);
  await first;
  const second = next("monitor");
  await clock.advance(30);
  const { data } = (await second).data as unknown as {
    data: { stats: { io: Json; fs: Json }; interfaces: { lo: Json } };
  };
  expect(data.stats.io["rIO_sec"]).toBeGreaterThanOrEqual(0);
  expect(data.stats.fs["wx_sec"]).toBeGreaterThanOrEqual(0);
  expect(data.stats.io["ms"]).toBeGreaterThan(29_000);
  expect(data.interfaces.lo["rx_sec"]).toBeGreaterThanOrEqual(0);
});

test.runIf(onLinux)("a quick sample comes each second, in the shape of a satellite's", async () => {
  const { next, untilCommand, clock } = await start();
  await untilCommand("join");
  for (let count = 0; count < 3; count++) {
    const sample = next("quickmon");
    await clock.advance(1);
    const { data } = await sample;
    expect(data).toMatchObject({ commands: {}, cpu: { totals: {} }, mem: {}, fs: {}, net: {} });
    expect(Object.keys(data).sort()).toEqual(Object.keys(captured("quickmon")).sort());
  }
});

test.runIf(onLinux)("quick samples come at whole seconds, one for each, also when the clock was set back", async () => {
  const { next, untilCommand, clock, messages } = await start();
  await untilCommand("join");
  const sampled = async (seconds: number): Promise<number> => {
    const sample = next("quickmon");
    await clock.advance(seconds);
    await sample;
    return messages.filter(({ cmd }) => cmd === "quickmon").length;
  };
  expect(await sampled(0.5)).toBe(1);
  expect(await sampled(1)).toBe(2);
  clock.step(-3600.25);
  expect(await sampled(1)).toBe(3);
  expect(await sampled(0.25)).toBe(4);
});

test("an echo is returned unchanged", async () => {
  const { untilCommand, send } = await start();
  await untilCommand("join");
  send("echo", { id: "e1", last_ping_ms: 3 });
  expect((await untilCommand("echoback")).data).toEqual({ id: "e1", last_ping_ms: 3 });
});

test("unknown messages are ignored", async () => {
  const { untilCommand, send } = await start();
  await untilCommand("join");
  for (const cmd of ["unknown", "constructor", "__proto__", "masterData"]) send(cmd, { masters: [] });
  send("launch_job", null);
  send("abort_job", "x");
  send("update", 7);
  send("echo", 1);
  expect((await untilCommand("echoback")).data).toBe(1);
});

test("monitor plugins of matching groups run with each sample", async () => {
  const plugin = { type: "monitor", enabled: true, groups: [], command: "/bin/sh", format: "text", sec: {} };
  const commands = [
    { ...plugin, id: "open_files", script: "echo '12\t0\t99'" },
    { ...plugin, id: "as_json", script: `echo '{"a":1}'`, format: "json", groups: ["main", "other"] },
    { ...plugin, id: "elsewhere", script: "echo no", groups: ["other"] },
    { ...plugin, id: "off", script: "echo no", enabled: false },
  ];
  const { untilCommand, clock } = await start({ quickEverySec: 0 }, { joined: { commands } });
  await untilCommand("join");
  await clock.advance(1.1);
  const { data } = (await untilCommand("monitor")).data as { data: Json };
  expect(data["commands"]).toEqual({ open_files: "12\t0\t99", as_json: { a: 1 } });
});

test("without plugins a sample has no commands, and an update adds them", async () => {
  const { untilCommand, next, clock, send } = await start({ quickEverySec: 0 });
  await untilCommand("join");
  await clock.advance(1.1);
  expect((await untilCommand("monitor")).data["data"]).not.toHaveProperty("commands");
  send("update", { commands: [{ id: "p", enabled: 1, groups: [], command: "/bin/echo hi" }] });
  const sample = next("monitor");
  await clock.advance(30);
  expect((await sample).data["data"]).toMatchObject({ commands: { p: "hi" } });
});

test("a plugin can be tested at once", async () => {
  const commands = [{ id: "p", enabled: true, groups: [], command: "/bin/sh", script: "echo out; echo err 1>&2" }];
  const { untilCommand, next, send } = await start({}, { joined: { commands } });
  await untilCommand("join");
  const reply = next("monitorPluginTestResult");
  send("testMonitorPlugin", { plugin_id: "p", request_id: "r1" });
  expect((await reply).data).toEqual({ plugin_id: "p", request_id: "r1", result: "out", stderr: "err\n" });
});

test("monitoring can be disabled, also quick samples", async () => {
  const { untilCommand, clock, messages, send } = await start({}, { joined: { config: { quickmon_enabled: false } } });
  await untilCommand("join");
  send("updateConfig", { monitoring_enabled: false });
  await clock.advance(3);
  expect((await untilCommand("monitor")).data["data"]).toEqual({ dummy: true });
  expect(messages.some(({ cmd }) => cmd === "quickmon")).toBe(false);
});

test("malformed options are refused", () => {
  expect(() => localAgent({ id: "Not an id" })).toThrow(TypeError);
  expect(() => localAgent({ minuteEverySec: 0 })).toThrow(TypeError);
  expect(() => localAgent({ quickEverySec: -1 })).toThrow(TypeError);
  expect(() => localAgent({ minuteEverySec: Number.NaN })).toThrow(TypeError);
});
