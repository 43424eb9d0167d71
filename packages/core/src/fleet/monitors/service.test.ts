import { describe, expect, test } from "vitest";
import { type Fleet, useFleets } from "../../../test/fleet/fleet.ts";
import minute from "../../testing/fixtures/agent-monitor.json" with { type: "json" };
import latest from "../../testing/fixtures/latest-monitor-data.json" with { type: "json" };

const start = useFleets();
const join = (fleet: Fleet, id = "s1") => fleet.agent.connect({ hostname: `host-${id}`, id });
const { monitors: storedMonitors, deltas: _deltas, ...lastSample } = latest.data.data;

describe("minutes", () => {
  test("a real sample gives the values that the peer computed from it", async () => {
    const fleet = await start();
    const server = await join(fleet);
    await fleet.minute(server, lastSample);
    const { rows, data } = await fleet.signalbox.api.getLatestMonitorData({ server: "s1", sys: "hourly", limit: 60 });
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ count: 1, totals: latest.rows.at(-1)?.totals, load_avg: 2.84, disk_read_sec: 0 });
    expect(data).toMatchObject({ server: "s1", data: { monitors: storedMonitors }, cpu: { currentLoad: 78.34 } });
  });

  test("a minute is in all four timelines, and minutes without a sample are gaps", async () => {
    const fleet = await start();
    const server = await join(fleet);
    await fleet.minute(server, { jobs: 2 });
    await fleet.clock.advance(120);
    await fleet.minute(server, { jobs: 5 });
    const read = async (sys: string) =>
      (await fleet.signalbox.api.getLatestMonitorData({ server: "s1", sys, limit: 60 })).rows;
    expect((await read("minute")).map((row) => row["active_jobs"])).toEqual([2, undefined, undefined, 5]);
    expect((await read("hour")).map((row) => row["active_jobs"])).toEqual([3]);
    expect((await read("yearly")).map((row) => row["count"])).toEqual([2]);
    const [gap] = (await read("hourly")).slice(1);
    expect(Object.keys(gap ?? {})).toEqual(["epoch_div", "epoch"]);
  });

  test("rates use the minute before, also after the agent has reconnected", async () => {
    const fleet = await start();
    const server = await join(fleet);
    await fleet.minute(server, { stats: { fs: { rx: 1000 } } });
    server.close();
    await fleet.settle();
    await fleet.minute(await join(fleet), { stats: { fs: { rx: 1000 + 60 * 500 } } });
    const { data } = await fleet.signalbox.api.getServer({ id: "s1" });
    expect(data).toMatchObject({ data: { deltas: { disk_read_sec: 500 }, monitors: { disk_read_sec: 31000 } } });
  });

  test("a second message of the same agent minute is dropped", async () => {
    const fleet = await start();
    const server = await join(fleet);
    await fleet.minute(server, { jobs: 2 });
    server.send("monitor", { version: "1.0", date: fleet.clock.now() + 5, data: { jobs: 9 } });
    await fleet.settle();
    const { data } = await fleet.signalbox.api.getServer({ id: "s1" });
    expect(data).toMatchObject({ data: { jobs: 2 } });
  });

  test("a minute that is already stored changes nothing, whatever the agent's clock says", async () => {
    const fleet = await start();
    const server = await join(fleet);
    await fleet.minute(server, { jobs: 2 });
    server.send("monitor", { version: "1.0", date: 5, data: { jobs: 99 } });
    await fleet.settle();
    const { rows, data } = await fleet.signalbox.api.getLatestMonitorData({ server: "s1", sys: "daily", limit: 9 });
    expect(rows).toMatchObject([{ count: 1 }]);
    expect(data).toMatchObject({ data: { jobs: 2 } });
  });

  test("of messages that come too fast one is processed and the newest one waits", async () => {
    const fleet = await start();
    const server = await join(fleet);
    const stored = fleet.next("server.minute");
    for (const [index, jobs] of [1, 2, 3, 4].entries())
      server.send("monitor", { version: "1.0", date: index * 60, data: { jobs } });
    await stored;
    await fleet.settle();
    const { rows } = await fleet.signalbox.api.getLatestMonitorData({ server: "s1", sys: "hourly", limit: 9 });
    expect(rows.map((row) => row["active_jobs"])).toEqual([1]);
  });

  test("an agent whose monitoring is disabled leaves a record without readings", async () => {
    const fleet = await start();
    const server = await join(fleet);
    server.send("monitor", { version: "1.0", date: 60, data: { dummy: true } });
    await fleet.settle();
    const { rows, data } = await fleet.signalbox.api.getLatestMonitorData({ server: "s1", sys: "hourly", limit: 9 });
    expect(rows).toEqual([]);
    expect(data).toMatchObject({ data: { dummy: true, monitors: {}, deltas: {} } });
  });

  test("the connected server shows its newest readings", async () => {
    const fleet = await start();
    await fleet.minute(await join(fleet), minute.data);
    const { server } = await fleet.signalbox.api.getActiveServer({ id: "s1" });
    expect(server.info).toMatchObject({
      cpu: { avgLoad: 2.95, combo: "Intel Xeon® Processor" },
      memory: { total: 25276502016 },
      monitors: { load_avg: 3.95 },
      process: { pid: 1 },
    });
  });
});

test("points older than the retention are deleted", async () => {
  const fleet = await start({ config: { timeline_expiration: "2 hours" } });
  const server = await join(fleet);
  await fleet.minute(server, { jobs: 1 });
  await fleet.clock.advance(3 * 3600);
  await fleet.minute(server, { jobs: 2 });
  const { rows } = await fleet.signalbox.api.getLatestMonitorData({ server: "s1", sys: "hourly", limit: 999 });
  expect(rows.map((row) => row["active_jobs"])).toEqual([2]);
});
