import { expect, test } from "vitest";
import { type Fleet, SECRET_KEY, useFleets } from "../../../test/fleet/fleet.ts";
import { createSignalbox } from "../../engine/signalbox.ts";
import { definePlugin } from "../../kernel/plugins/plugin.ts";
import { memoryStorage } from "../../memory/memory-storage.ts";
import { silentLogger } from "../../ports/logger.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { scriptedAgent } from "../../testing/scripted-agent.ts";
import { stateCollection } from "../alerts/collection.ts";

/** The edge cases of evaluation (docs/contract/monitors.md#edge-cases), one test each. */
const start = useFleets();
const join = (fleet: Fleet, id = "s1") => fleet.agent.connect({ hostname: `host-${id}`, id });
const define = { title: "Mine", data_type: "float" };
const stored = async (fleet: Fleet) =>
  (await fleet.signalbox.api.getServer({ id: "s1" })).data as { data: Record<string, Record<string, unknown>> };
const rowsOf = async (fleet: Fleet) =>
  (await fleet.signalbox.api.getLatestMonitorData({ server: "s1", sys: "hourly", limit: 60 })).rows;

test("a monitor gets the values of earlier monitors in the list, not of later ones", async () => {
  const fleet = await start();
  await fleet.signalbox.api.createMonitor({ ...define, id: "early", source: "monitors.late" });
  await fleet.signalbox.api.createMonitor({ ...define, id: "late", source: "monitors.load_avg * 2", sort_order: 0 });
  const server = await join(fleet);
  await fleet.minute(server, { load: [3] });
  await fleet.minute(server, { load: [3] });
  expect((await stored(fleet)).data["monitors"]).toMatchObject({ early: 0, late: 6 });
});

test("a pattern runs on the text of a missing value or an object, and finds no number there", async () => {
  const fleet = await start();
  const pattern = { data_match: "(\\w+)" };
  await fleet.signalbox.api.createMonitor({ ...define, ...pattern, id: "gone", source: "nope" });
  await fleet.signalbox.api.createMonitor({ ...define, ...pattern, id: "object", source: "memory" });
  await fleet.minute(await join(fleet), { memory: { used: 5 } });
  const { data } = await stored(fleet);
  expect(data["monitors"]).toMatchObject({ gone: 0, object: 0 });
  expect(data["missing"]).toContain("gone");
  expect(data["missing"]).not.toContain("object");
});

test("floats are rounded down, so negative ones grow in magnitude", async () => {
  const fleet = await start();
  await fleet.signalbox.api.createMonitor({ ...define, id: "below", source: "below" });
  await fleet.signalbox.api.createMonitor({ ...define, id: "above", source: "above" });
  await fleet.minute(await join(fleet), { below: -1.000001, above: 99.9999999 });
  expect((await stored(fleet)).data["monitors"]).toMatchObject({ below: -1.00001, above: 99.99999 });
});

test("the first minute has no rate, and after a month offline the change is spread over the month", async () => {
  const fleet = await start();
  const server = await join(fleet);
  await fleet.minute(server, { stats: { fs: { rx: 1000 } } });
  expect((await stored(fleet)).data["deltas"]).toMatchObject({ disk_read_sec: 0 });
  server.close();
  const month = 30 * 86_400;
  fleet.clock.step(month - 60);
  await fleet.minute(await join(fleet), { stats: { fs: { rx: 1000 + month * 5 } } });
  expect((await stored(fleet)).data["deltas"]).toMatchObject({ disk_read_sec: 5 });
});

test("a counter that was exactly 0 gives no change, not its whole value", async () => {
  const fleet = await start();
  const server = await join(fleet);
  await fleet.minute(server, { stats: { fs: { rx: 0 } } });
  await fleet.minute(server, { stats: { fs: { rx: 6_000_000 } } });
  expect((await stored(fleet)).data["deltas"]).toMatchObject({ disk_read_sec: 0 });
});

test("on a system without disk counters they are 0 and listed as missing", async () => {
  const fleet = await start();
  await fleet.minute(await join(fleet), { platform: "win32", stats: { fs: {}, io: {} } });
  const { data } = await stored(fleet);
  expect(data["monitors"]).toMatchObject({ disk_read_sec: 0, disk_iops_sec: 0 });
  expect(data["missing"]).toEqual(expect.arrayContaining(["disk_read_sec", "disk_write_sec", "disk_iops_sec"]));
});

test("an agent that reconnects and reports again within its minute is detected by the stored minute", async () => {
  const fleet = await start();
  const server = await join(fleet);
  await fleet.minute(server, { jobs: 2 });
  server.close();
  await fleet.settle();
  const again = await join(fleet);
  again.send("monitor", { version: "1.0", date: fleet.clock.now(), data: { jobs: 9 } });
  await fleet.settle();
  expect((await stored(fleet)).data).toMatchObject({ jobs: 2 });
  expect(await rowsOf(fleet)).toMatchObject([{ active_jobs: 2, count: 1 }]);
});

test("two reports before and after a reconnection, sent before either is stored, count once", async () => {
  const fleet = await start();
  const server = await join(fleet);
  await fleet.minute(server, { jobs: 1 });
  await fleet.clock.advance(60);
  server.send("monitor", { version: "1.0", date: fleet.clock.now(), data: { jobs: 2 } });
  const again = await fleet.agent.connect({ hostname: "host-s1", id: "s1" });
  again.send("monitor", { version: "1.0", date: fleet.clock.now(), data: { jobs: 3 } });
  await fleet.settle();
  expect((await rowsOf(fleet)).map((row) => row["count"])).toEqual([1, 1]);
});

test("duplicates are found by the agent's clock, buckets by ours: two agent minutes in one of ours count once", async () => {
  const fleet = await start();
  const server = await join(fleet);
  await fleet.minute(server, { jobs: 1 });
  server.send("monitor", { version: "1.0", date: fleet.clock.now() + 86_400, data: { jobs: 2 } });
  await fleet.settle();
  expect(await rowsOf(fleet)).toMatchObject([{ active_jobs: 1, count: 1 }]);
});

test("the groups of a minute are the server's groups when it was evaluated, also in the record", async () => {
  const fleet = await start();
  await fleet.signalbox.api.createMonitor({ ...define, id: "ours", source: "load[0]", groups: ["main"] });
  await fleet.signalbox.api.createMonitor({ ...define, id: "theirs", source: "load[0]", groups: ["elsewhere"] });
  await fleet.minute(await join(fleet), { load: [2] });
  const { data } = await fleet.signalbox.api.getServer({ id: "s1" });
  expect(data).toMatchObject({ groups: ["main"], data: { monitors: { ours: 2 } } });
  expect((await stored(fleet)).data["monitors"]).not.toHaveProperty("theirs");
});

test("a deleted monitor stays in old points, and a new one with its name continues the curve", async () => {
  const fleet = await start();
  const server = await join(fleet);
  const mine = { ...define, id: "mine", source: "load[0]" };
  await fleet.signalbox.api.createMonitor(mine);
  await fleet.minute(server, { load: [1] });
  await fleet.signalbox.api.deleteMonitor({ id: "mine" });
  await fleet.minute(server, { load: [2] });
  await fleet.signalbox.api.createMonitor(mine);
  await fleet.minute(server, { load: [3] });
  expect((await rowsOf(fleet)).map((row) => row["mine"])).toEqual([1, undefined, 3]);
});

test("a quick monitor, a monitor and an alert may share an id", async () => {
  const quick = { id: "shared", title: "Quick", source: "q", type: "float" } as const;
  const fleet = await start({ config: { quick_monitors: [quick] } });
  await fleet.signalbox.api.createMonitor({ ...define, id: "shared", source: "load[0]" });
  const message = "{{ monitors.shared }} now";
  await fleet.signalbox.api.createAlert({ id: "shared", title: "A", expression: "load[0] > 5", message });
  const server = await join(fleet);
  server.send("quickmon", { q: 1.5 });
  await fleet.minute(server, { load: [6] });
  const { servers } = await fleet.signalbox.api.getQuickmonData({ server: "s1", shape: "values" });
  expect(servers["s1"]).toMatchObject([{ id: "shared", value: 1.5 }]);
  expect((await stored(fleet)).data["monitors"]).toMatchObject({ shared: 6 });
  expect((await fleet.signalbox.api.getServer({ id: "s1" })).data).toMatchObject({ new_alerts: { shared: true } });
});

test("quick monitors follow a changed configuration from the next second on", async () => {
  const fleet = await start();
  const server = await join(fleet);
  const quick = [{ id: "answer", title: "Answer", source: "a * 2", type: "integer" }];
  await fleet.signalbox.api.adminUpdateConfig({ quick_monitors: quick });
  server.send("quickmon", { a: 21 });
  const { servers } = await fleet.signalbox.api.getQuickmonData({ server: "s1", shape: "values" });
  expect(servers["s1"]).toMatchObject([{ id: "answer", value: 42 }]);
});

test("messages are computed again each minute, so values in them may change while the alert is live", async () => {
  const fleet = await start();
  const server = await join(fleet);
  const message = "{{ server('s2') }}: {{ load[0] }}";
  await fleet.signalbox.api.createAlert({ id: "hot", title: "Hot", expression: "load[0] > 5", message });
  const messageNow = async () => {
    const { rows } = await fleet.storage.read((tx) => tx.collection(stateCollection).find({ kind: "all" }));
    return rows.map((state) => state.message);
  };
  await fleet.minute(server, { load: [6] });
  expect(await messageNow()).toEqual(["s2: 6"]);
  await fleet.agent.connect({ hostname: "db01", id: "s2" });
  await fleet.minute(server, { load: [7] });
  expect(await messageNow()).toEqual(["db01: 7"]);
});

test("once the time for a server's minute is used up the rest is missing or false, and logged once", async () => {
  const clock = fakeClock();
  let isSlow = false;
  const slow = definePlugin({
    id: "test.slow",
    functions: {
      wait: () => {
        // 150 ms each: within the limit of one expression, but 14 of them exceed that of a server's minute.
        if (isSlow) monotonicMs += 150;
        return 1;
      },
    },
  });
  let monotonicMs = 0;
  const lines: string[] = [];
  const log = { ...silentLogger, warn: (_fields: unknown, text?: string) => void lines.push(text ?? "") };
  const agent = scriptedAgent();
  const slowClock = { ...clock, monotonicMs: () => clock.monotonicMs() + monotonicMs };
  const signalbox = createSignalbox({
    storage: memoryStorage({ clock }),
    clock: slowClock,
    log,
    agents: agent,
    secretKey: SECRET_KEY,
    plugins: [slow],
  });
  await signalbox.start();
  try {
    for (let index = 0; index < 20; index++)
      await signalbox.api.createMonitor({ ...define, id: `w${index}`, source: "wait()" });
    await signalbox.api.createAlert({ id: "always", title: "A", expression: "1", message: "m" });
    const server = await agent.connect({ hostname: "host-s1", id: "s1" });
    isSlow = true;
    server.send("monitor", { version: "1.0", date: clock.now(), data: { load: [1] } });
    await clock.advance(1);
    const { data } = await signalbox.api.getServer({ id: "s1" });
    const { monitors, missing } = (data as { data: { monitors: Record<string, number>; missing: string[] } }).data;
    expect([monitors["w0"], monitors["w13"], monitors["w14"]]).toEqual([1, 1, 0]);
    expect(missing).toEqual(expect.arrayContaining(["w14", "w19"]));
    expect(missing).not.toContain("w13");
    expect(data).not.toHaveProperty("new_alerts");
    expect(lines.filter((text) => text.includes("took too long"))).toHaveLength(1);
  } finally {
    await signalbox.stop();
  }
});
